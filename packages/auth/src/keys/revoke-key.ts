import { type Clock, type Tx, UnauthorizedError } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { LetIn } from '../capability/key-fields.ts'
import { KeyNotFoundError } from '../crypto/errors.ts'
import { keysRevoked } from '../streams/revocations.ts'
import { buryPending } from './bury-pending.ts'
import { endMade } from './end-made.ts'
import { forgetKnownId } from './known-id.ts'
import { lockCaller, type Signer } from './lock-caller.ts'
import { hasEndedFor, revokeActive } from './store.ts'
import { findLatest } from './successors.ts'

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
 * Ends one key of the account, and where it is another device's, what that has let in. Of a key that was rotated or
 * renewed since it was listed it ends the one that came in its place: the device is what its owner wants signed out.
 */
export function revokeKey(
  auth: Needs<'db' | 'clock' | 'parts'>,
  revocation: Revocation,
): Promise<Revoked> {
  const { db, clock } = auth
  const { caller, keyId } = revocation
  return db.transaction(async (tx) => {
    if (keyId === caller.keyId) return endItself(tx, revocation, clock)
    // Another one only while it is signed in. What the other device lets in waits for this lock, and finds it ended.
    const account = await lockCaller(tx, caller)
    const latest = await findLatest(tx, { keyId, userId: caller.userId })
    if (latest === null) throw new KeyNotFoundError()
    const asked = { ...revocation, keyId: latest }
    if (latest === caller.keyId) return endItself(tx, asked, clock)
    return endOther(tx, auth, { ...asked, account, now: clock.now() })
  })
}

/** A device ends itself, and nothing else. */
async function endItself(tx: Tx, revocation: Revocation, clock: Clock): Promise<Revoked> {
  const { caller, keyId, reason } = revocation
  // What is signed by no device has none to end.
  if (keyId === '') throw new KeyNotFoundError()
  // As all that ends or follows a key: without it, a rotation and a sign-out of the same key would both be done.
  if (!(await lockAccount(tx, caller.userId))) throw new UnauthorizedError()
  const isRevoked = await endKey(tx, revocation, clock.now())
  // It may do so twice, as when it did not hear the answer. What something else has ended signs nothing, not even this.
  if (!isRevoked && !(await hasEndedFor(tx, caller, reason))) throw new UnauthorizedError()
  await tell(revocation, isRevoked ? [keyId] : [])
  return { selfRevoked: true, ended: [], approvals: [] }
}

type OfAnother = Revocation & { account: Awaited<ReturnType<typeof lockCaller>>; now: Date }

async function endOther(tx: Tx, auth: Needs<'parts'>, revocation: OfAnother): Promise<Revoked> {
  const { account, caller, keyId, keepMade = false, origin, now } = revocation
  const isRevoked = await endKey(tx, revocation, now)
  // One that a renewal has left waiting for the second factor.
  if (!isRevoked) await buryPending(tx, { keyIds: [keyId], reason: revocation.reason, now })
  // Also where it had ended before: it may have signed itself out, so that what it has let in would be left.
  const ending = { account, keyId, by: caller.keyId, keepMade, origin, now }
  const { keyIds, ended, approvals } = await endMade(tx, auth, ending)
  await tell(revocation, isRevoked ? [keyId, ...keyIds] : keyIds)
  return { selfRevoked: false, ended, approvals }
}

/** False for a key that has ended already: it stays as it ended. */
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
