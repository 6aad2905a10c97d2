import { type Clock, type Db, type Tx, UnauthorizedError } from '@svc/core'
import { and, eq, gt, ne } from 'drizzle-orm'
import { type CallersAccount, type LockedAccount, lockAccount } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { LetIn } from '../capability/fields.ts'
import { KeyIdAlreadyRegisteredError, KeyNotFoundError } from '../crypto/errors.ts'
import { inTransaction } from '../in-transaction.ts'
import { keysRevoked } from '../streams/streams.ts'
import { buryPending } from './end-keys.ts'
import { endMade } from './made-keys.ts'
import { findLatest } from './rotate-key.ts'
import { deviceKeys } from './schema.ts'
import { hasEndedFor, isOwned, revokeActive } from './store.ts'
import { forgetKnownId } from './trust.ts'

export { buryPending, revokeEveryKey } from './end-keys.ts'
export {
  bindKey,
  fullLife,
  isRenewable,
  renewableAfter,
  renewedLife,
  revokeRenewable,
  successorLife,
  unbindKey,
  windowEnd,
  windowOf,
} from './key-life.ts'
export { findKeyName, keyItem, listKeys } from './list-keys.ts'
export { type MachineRow, machinesOfServices, readMachinePage } from './list-machines.ts'
export { namedItem } from './made-keys.ts'
export { findKeyLife, findOwnKey } from './own-key.ts'
export { activateKey, checkNewKey, fingerprintPrefix, registerKey } from './register-key.ts'
export { handOn, keepLabel } from './rotate-key.ts'
export { findPublicKeys, findSignIn } from './store.ts'
export {
  type Concerned,
  expiredSupportKeys,
  findSupportKey,
  forgetOperator,
  liveSupportKeys,
  revokeSupportKey,
  type SupportKey,
} from './support-keys.ts'
export {
  findKnownId,
  forgetKnownIds,
  forgetProofs,
  isFactorProvedSince,
  isProofKept,
  noteProof,
  noteRecentProof,
} from './trust.ts'

export type Signer = Pick<Caller, 'userId' | 'keyId' | 'generation'>

/**
 * Locks the caller's account if the key that signed this request still signs. A request that was
 * accepted while its device was being signed out must not act after that.
 */
export async function lockCaller(tx: Tx, caller: Signer): Promise<CallersAccount> {
  const account = await lockAccount(tx, caller.userId)
  if (!account || !(await stillSigns(tx, account, caller))) throw new UnauthorizedError()
  return account as CallersAccount
}
/** Whether a key of a locked account still signs. */
export function stillSigns(tx: Tx, account: LockedAccount, { userId, keyId, generation }: Signer) {
  // No device key signed it: an account-wide revocation shows in the generation.
  if (keyId === '') return account.generation === generation
  return isOwned(tx, { keyId, userId, states: ['active'] })
}

interface Revocation {
  caller: Signer
  keyId: string
  /** What another device has let in stays. */
  keepMade?: boolean | undefined
  reason: 'revoked' | 'logout'
  origin: RequestOrigin
}

interface Revoked {
  selfRevoked: boolean
  ended: LetIn[]
  approvals: LetIn[]
}

/**
 * Ends one key of the account. If it is another device's, what that has let in ends too. If a key
 * was rotated or renewed since it was listed, its successor ends, because the owner wants the
 * device signed out.
 */
export function revokeKey(
  auth: Needs<'db' | 'clock' | 'parts'>,
  revocation: Revocation,
): Promise<Revoked> {
  const { db, clock } = auth
  const { caller, keyId } = revocation
  return inTransaction(db, async (tx) => {
    if (keyId === caller.keyId) return endItself(tx, revocation, clock)
    // Ends another one only while the caller is signed in. What the other device lets in waits for
    // this lock, and finds its key ended.
    const account = await lockCaller(tx, caller)
    const latest = await findLatest(tx, { keyId, userId: caller.userId })
    if (latest === null) throw new KeyNotFoundError()
    const asked = { ...revocation, keyId: latest }
    if (latest === caller.keyId) return endItself(tx, asked, clock)
    return endOther(tx, auth, { ...asked, account, now: clock.now() })
  })
}

interface RevocationOfAnother {
  account: LockedAccount
  keyId: string
  /** The user who may act on the account. */
  actor: string
  origin: RequestOrigin
  now: Date
}

/**
 * Ends one key of another user's account, and the keys that it let in. Returns the keys that have
 * ended.
 */
export async function revokeKeyOf(
  tx: Tx,
  auth: Needs<'parts'>,
  { account, keyId: listed, actor, origin, now }: RevocationOfAnother,
) {
  const { userId } = account
  const keyId = await findLatest(tx, { keyId: listed, userId })
  if (keyId === null) throw new KeyNotFoundError()
  const isRevoked = await revokeActive(tx, { keyId, userId, reason: 'operator', now })
  if (isRevoked) {
    await recordAudit(tx, { act: 'key.revoked', actor, target: keyId, origin, at: now })
  } else {
    await buryPending(tx, { keyIds: [keyId], reason: 'operator', now })
  }
  await forgetKnownId(tx, { keyId, userId })
  const ending = { account, keyId, by: null, keepMade: false, actor, origin, now }
  const { keyIds: made } = await endMade(tx, auth, ending)
  const keyIds = isRevoked ? [keyId, ...made] : made
  if (keyIds.length > 0) await keysRevoked.emit({ userId, keyIds, reason: 'operator' })
  return keyIds
}

/** A device ends its own key, and nothing else. */
async function endItself(tx: Tx, revocation: Revocation, clock: Clock): Promise<Revoked> {
  const { caller, keyId, reason } = revocation
  // A request that no device signed has no key to end.
  if (keyId === '') throw new KeyNotFoundError()
  // Everything that ends or replaces a key locks the account. Otherwise a rotation and a sign-out
  // of the same key could both succeed.
  if (!(await lockAccount(tx, caller.userId))) throw new UnauthorizedError()
  const isRevoked = await endKey(tx, revocation, clock.now())
  // It may do so twice, because it may have lost the response. If something else has ended its key,
  // this is refused too.
  if (!isRevoked && !(await hasEndedFor(tx, caller, reason))) throw new UnauthorizedError()
  await tell(revocation, isRevoked ? [keyId] : [])
  return { selfRevoked: true, ended: [], approvals: [] }
}

type OfAnother = Revocation & { account: Awaited<ReturnType<typeof lockCaller>>; now: Date }

async function endOther(tx: Tx, auth: Needs<'parts'>, revocation: OfAnother): Promise<Revoked> {
  const { account, caller, keyId, keepMade = false, origin, now } = revocation
  const isRevoked = await endKey(tx, revocation, now)
  // A renewal may have left one waiting for the second factor.
  if (!isRevoked) await buryPending(tx, { keyIds: [keyId], reason: revocation.reason, now })
  // Even if it had ended before: it may have signed itself out, which leaves what it has let in.
  const ending = { account, keyId, by: caller.keyId, keepMade, origin, now }
  const { keyIds, ended, approvals } = await endMade(tx, auth, ending)
  await tell(revocation, isRevoked ? [keyId, ...keyIds] : keyIds)
  return { selfRevoked: false, ended, approvals }
}

/** False for a key that has ended already: its row stays unchanged. */
async function endKey(tx: Tx, { caller, keyId, reason, origin }: Revocation, now: Date) {
  const { userId } = caller
  const isRevoked = await revokeActive(tx, { keyId, userId, reason, now })
  if (reason === 'revoked') await forgetKnownId(tx, { keyId, userId })
  if (!isRevoked) return false
  await recordAudit(tx, { act: `key.${reason}`, actor: userId, target: keyId, origin, at: now })
  return true
}

async function tell({ caller, reason }: Revocation, keyIds: string[]) {
  if (keyIds.length > 0) await keysRevoked.emit({ userId: caller.userId, keyIds, reason })
}

/** Whether this very key belongs to a device with which the account signs already. */
export async function isKeyOf(db: Db, { keyId, publicKey }: CheckedKey, userId: string) {
  const same = and(
    eq(deviceKeys.keyId, keyId),
    eq(deviceKeys.publicKey, publicKey),
    eq(deviceKeys.userId, userId),
    eq(deviceKeys.state, 'active'),
    eq(deviceKeys.kind, 'device'),
  )
  return (await db.$count(deviceKeys, same)) > 0
}

/** How many keys a sign-out would revoke. Expired ones count, because they may be extended. */
export function countActive(db: Db, userId: string) {
  return db.$count(deviceKeys, and(eq(deviceKeys.userId, userId), eq(deviceKeys.state, 'active')))
}

/** How many keys of programs an account has that sign. */
export function countMachines(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  const own = and(eq(deviceKeys.userId, userId), eq(deviceKeys.kind, 'machine'))
  const signs = and(eq(deviceKeys.state, 'active'), gt(deviceKeys.expiresAt, now))
  return tx.$count(deviceKeys, and(own, signs))
}

/**
 * For credentials that name a public key: they are valid for one key id. Under another, they would
 * bring back a device that was signed out.
 */
export async function refuseSecondId(tx: Tx, { keyId, fingerprint }: CheckedKey, userId: string) {
  const same = and(
    eq(deviceKeys.fingerprint, fingerprint),
    eq(deviceKeys.userId, userId),
    ne(deviceKeys.keyId, keyId),
  )
  if ((await tx.$count(deviceKeys, same)) > 0) throw new KeyIdAlreadyRegisteredError()
}
