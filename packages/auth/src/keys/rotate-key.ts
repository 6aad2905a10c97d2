import { type Tx, UnauthorizedError } from '@svc/core'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/lock-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import { type CheckedKey } from '../capability/ways.ts'
import { keysRevoked } from '../streams/revocations.ts'
import { checkNewKey } from './check-new-key.ts'
import { handOn } from './hand-on.ts'
import { keepLabel } from './keep-label.ts'
import { successorLife } from './key-life.ts'
import { registerKey } from './register-key.ts'
import { findActive, revokeActive } from './store.ts'

const channel = 'rotateKey'

/** Puts a new key in the place of the one that signed this request. Of two at once, one finds its key still there. */
export async function rotateKey(
  auth: Needs<'db' | 'clock' | 'limits' | 'parts'>,
  { caller, key, origin }: { caller: Caller; key: NewDeviceKey; origin: RequestOrigin },
) {
  const { db, clock, limits } = auth
  const { userId, keyId: oldKeyId } = caller
  const checked = checkNewKey(key)
  await limits.take('key rotation by account', userId)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account) throw new UnauthorizedError()
    refuseInactive(account)
    // The client did not hear that this very rotation was done, and signs with the successor by now.
    if (checked.keyId === oldKeyId) {
      const current = await findActive(tx, caller)
      // It may have ended since it signed this: then its id is no stranger's, and the answer is as for any ended key.
      if (!current) throw new UnauthorizedError()
      const { permissions } = current
      const succeeds = successorLife(current, now)
      const again = { account, key: checked, origin, channel, succeeds, permissions, now }
      return rotated(await registerKey(tx, again))
    }
    return rotated(await putInPlace(tx, auth, { account, oldKeyId, key: checked, origin, now }))
  })
}

interface Rotation {
  account: LockedAccount
  oldKeyId: string
  key: CheckedKey
  origin: RequestOrigin
  now: Date
}

async function putInPlace(
  tx: Tx,
  auth: Needs<'parts'>,
  { account, oldKeyId, key, origin, now }: Rotation,
) {
  const { userId } = account
  // An account-wide revocation has ended the key under the same lock, so the key itself is the guard here.
  const old = await revokeActive(tx, { keyId: oldKeyId, userId, reason: 'rotated', now })
  if (!old) throw new UnauthorizedError()
  const { permissions, knownId } = old
  const succeeds = successorLife(old, now)
  const successor = {
    account,
    key: keepLabel(key, old),
    origin,
    channel,
    succeeds,
    permissions,
    knownId,
    now,
  }
  const registered = await registerKey(tx, successor)
  await handOn(tx, auth, { userId, from: oldKeyId, to: key.keyId })
  const details = { successor: key.keyId }
  const entry = { actor: userId, target: oldKeyId, details, origin, at: now }
  await recordAudit(tx, { act: 'key.rotated', ...entry })
  await keysRevoked.emit({ userId, keyIds: [oldKeyId], reason: 'rotated' })
  return registered
}

function rotated({ keyId, expiresAt }: { keyId: string; expiresAt: Date }) {
  return { keyId, expiresAtMillis: expiresAt.getTime() }
}
