import type { Db, Tx } from '@svc/core'
import { lockUser } from '../accounts/accounts.ts'
import { type Needs, runningAuth } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import { type SettleNeeds, type Settling, settleFactors } from '../factors/factors.ts'
import { lockSteppedUp } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { markedPasskeysOf, unmarkPasskeysOf } from '../passkeys/passkeys.ts'
import { deleteChallengesOf, overdueChallenges } from '../sign-in/sign-in.ts'
import type { MfaStatus } from './contract.ts'
import { endChallenge } from './mfa-verify.ts'
import { countRecoveryCodes, deleteRecoveryCodes } from './recovery-codes.ts'
import { deleteTotp, deleteTotpSince, forgetPendingTotp, hasConfirmedTotp } from './totp-store.ts'

export { ringKeysOfFactors } from './keyring.ts'
export { totpCode } from './totp.ts'

export async function mfaStatus(db: Db, userId: string): Promise<MfaStatus> {
  const methods = await methodsOf(db, userId)
  const recoveryCodesRemaining = await countRecoveryCodes(db, userId)
  return { enrolled: methods.length > 0, methods, recoveryCodesRemaining }
}

type Method = MfaStatus['methods'][number]

/** The second factors that an account has. An unconfirmed authenticator app does not count. */
async function methodsOf(db: Db, userId: string) {
  const methods: Method[] = []
  if (await hasConfirmedTotp(db, userId)) methods.push('totp')
  if ((await markedPasskeysOf(db, userId)).length > 0) methods.push('passkey')
  return methods
}

type DisableNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

export async function mfaDisable(
  auth: DisableNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId: actor } = caller
  await auth.limits.take('second factor change by account', actor)
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    await removeFactors(tx, auth, { account, actor, origin, now })
  })
}

type Removal = Omit<Settling, 'added' | 'removed'>

/** Removes every second factor of an account. Its passkeys still sign in. */
export async function removeFactors(tx: Tx, auth: SettleNeeds, removal: Removal) {
  const { userId } = removal.account
  const removed: Method[] = []
  if (await deleteTotp(tx, userId)) removed.push('totp')
  if (await unmarkPasskeysOf(tx, userId)) removed.push('passkey')
  await deleteRecoveryCodes(tx, userId)
  await settleFactors(tx, auth, { ...removal, removed })
}

/**
 * Removes what was set up at that moment or later: an attacker who took an account over must not
 * lock its owner out.
 */
export async function removeFactorsSince(
  tx: Tx,
  auth: SettleNeeds,
  { since, ...removal }: Removal & { since: Date },
) {
  const { userId, secondFactorSince } = removal.account
  if (secondFactorSince && secondFactorSince >= since) return removeFactors(tx, auth, removal)
  // The owner had another factor before it. New codes were made with it.
  if (!(await deleteTotpSince(tx, userId, since))) return
  await deleteRecoveryCodes(tx, userId)
  await settleFactors(tx, auth, { ...removal, removed: ['totp'] })
}

interface RemovedBy {
  /** The user who removes it, such as a support operator. The trail names them. */
  by?: string
}

/**
 * For a user who has lost every second factor and recovery code, once support has checked who they
 * are.
 */
export async function removeSecondFactor(userId: string, { by }: RemovedBy = {}): Promise<void> {
  const auth = runningAuth()
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const account = await lockUser(tx, userId)
    await removeFactors(tx, auth, { account, ...(by !== undefined && { actor: by }), now })
  })
}

/** Which factors the account has and since when: never a secret, and no code. */
export async function exportSecondFactor(
  db: Db,
  { userId, secondFactorSince: since }: { userId: string; secondFactorSince: Date | null },
) {
  const { methods, recoveryCodesRemaining } = await mfaStatus(db, userId)
  return { methods, since, recoveryCodesRemaining }
}

/**
 * Deletes the sign-ins that can't be finished any more, and the authenticator apps that were not
 * confirmed.
 */
export async function forgetUnfinished(db: Db, now: Date) {
  for (const challenge of await overdueChallenges(db, now)) {
    const end = { challenge, reason: 'second_factor_expired', now }
    await inTransaction(db, (tx) => endChallenge(tx, end))
  }
  await forgetPendingTotp(db, now)
}

/** For an account that is purged. */
export async function forgetFactorsOf(tx: Tx, userId: string) {
  await deleteTotp(tx, userId)
  await deleteRecoveryCodes(tx, userId)
  await deleteChallengesOf(tx, userId)
}
