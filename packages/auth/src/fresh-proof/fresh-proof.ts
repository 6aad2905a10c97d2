import { defineMiddleware, ForbiddenError, type Tx, UnauthorizedError } from '@svc/core'
import { type FreshAccount, hasPassword } from '../accounts/accounts.ts'
import { InvalidCredentialsError } from '../accounts/errors.ts'
import type { Needs } from '../auth.ts'
import {
  type Caller,
  type FreshCaller,
  getAuth,
  type ProvableCaller,
  type RequestOrigin,
  refuseProgram,
} from '../caller/caller.ts'
import { RecentAuthenticationRequiredError, StepUpRequiredError } from '../caller/errors.ts'
import { inTransaction } from '../in-transaction.ts'
import { isProofKept, lockCaller, noteRecentProof } from '../keys/keys.ts'
import { isFresh, type ProofAsked } from './fresh-caller.ts'
import { checkCurrentPassword } from './prove-password.ts'

export {
  asProvable,
  hasJustProved,
  type ProofAsked,
  type ProofWindow,
  refuseUnprovedFactor,
  requireFresh,
  requireStepUp,
} from './fresh-caller.ts'
export { checkCurrentPassword, provePassword } from './prove-password.ts'

interface Asked extends ProofAsked {
  caller: ProvableCaller
  /** Given in the same call. */
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type FreshNeeds = Needs<'db' | 'clock' | 'env' | 'configuration' | 'limits' | 'passwords' | 'log'>

/**
 * Returns the caller if the proof is fresh or the current password is given: an attacker with a stolen signed-in device
 * must not be able to add anything to the account that outlives the device.
 */
export async function proveFresh(auth: FreshNeeds, asked: Asked): Promise<FreshCaller> {
  const { caller, currentPassword, operation, origin } = asked
  if (isFresh(auth, caller, asked)) return caller
  const { userId } = caller
  if (currentPassword === undefined || !(await hasPassword(auth.db, userId))) {
    throw new RecentAuthenticationRequiredError()
  }
  await auth.limits.take('password change by account', userId)
  const refusal = { act: 'recent.proved' as const, details: { method: 'password', operation } }
  await checkCurrentPassword(auth, { caller, currentPassword, refusal, origin })
  const authenticatedAt = await noteProved(auth, caller)
  return { ...caller, authenticatedAt, isPasswordProved: true } as FreshCaller
}

/** A correct password counts for later calls too: adding a passkey takes two calls. */
async function noteProved({ db, clock }: Needs<'db' | 'clock'>, caller: ProvableCaller) {
  const { userId, keyId, generation } = caller
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const account = await lockCaller(tx, caller)
    // The password was changed, or the key revoked, during the hashing.
    if (account.generation !== generation) throw new InvalidCredentialsError()
    // A legacy token, from before device keys, has no key on which to note it.
    if (keyId !== '' && !(await noteRecentProof(tx, { userId, keyId, now }))) {
      throw new UnauthorizedError()
    }
  })
  return now
}

const proof =
  'a fresh proof on this device: of the second factor if the account has one, else a sign-in or `proveRecent`. Machine keys and agents have none.'
const errors = [ForbiddenError, StepUpRequiredError, RecentAuthenticationRequiredError]

/**
 * Documents that an operation takes a fresh proof, and refuses programs. The proof itself is checked after the body is
 * read, because the body may contain the current password.
 */
export const requireProof = defineMiddleware(
  'proof',
  (c, next) => {
    refuseProgram(getAuth(c))
    return next()
  },
  { documents: { requires: `Needs ${proof}`, errors } },
)

/** Documents that an operation takes a fresh proof if the request gives power. */
export const requireProofForSome = defineMiddleware('proof for some', (_c, next) => next(), {
  documents: { requires: `For changes that give power, needs ${proof}`, errors },
})

/**
 * Locks the account of a caller that has stepped up, if there was a factor to prove. The account's
 * present factor must be the one that was proved: one that was set up meanwhile was not.
 */
export async function lockSteppedUp(tx: Tx, caller: Caller) {
  const account = await lockCaller(tx, caller)
  const { userId, keyId, secondFactorSince, secondFactorProvedAt: provedAt } = caller
  const isSame = account.secondFactorSince?.getTime() === secondFactorSince?.getTime()
  // A new password or a new factor has voided the proof of this device.
  const isProved = provedAt === null || (await isProofKept(tx, { userId, keyId, provedAt }))
  if (!isSame || !isProved) throw new StepUpRequiredError()
  return account
}

/** The same, for a caller whose proof is fresh: the account that may be given a key, a grant or another way in. */
export async function lockFresh(tx: Tx, caller: FreshCaller) {
  // The only place that makes a `FreshAccount`.
  return (await lockSteppedUp(tx, caller)) as FreshAccount
}
