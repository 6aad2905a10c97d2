import { type Tx, UnauthorizedError } from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import { type LockedAccount, lockAccount, refuseInactive } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import type { Caller, RequestOrigin } from '../caller/caller.ts'
import type { CheckedKey, Succession } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { inTransaction } from '../in-transaction.ts'
import { keysRevoked } from '../streams/streams.ts'
import { successorLife } from './key-life.ts'
import { handOnKeys } from './made-keys.ts'
import { checkNewKey, registerKey } from './register-key.ts'
import { deviceKeys } from './schema.ts'
import { findActive, type KeyRow, revokeActive } from './store.ts'

const channel = 'rotateKey'

/**
 * Replaces the key that signed this request. Of two requests at once, only one finds the key still
 * live.
 */
export async function rotateKey(
  auth: Needs<'db' | 'clock' | 'limits' | 'parts'>,
  { caller, key, origin }: { caller: Caller; key: NewDeviceKey; origin: RequestOrigin },
) {
  const { db, clock, limits } = auth
  const { userId, keyId: oldKeyId } = caller
  const checked = checkNewKey(key)
  await limits.take('key rotation by account', userId)
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const account = await lockAccount(tx, userId)
    if (!account) throw new UnauthorizedError()
    refuseInactive(account)
    // The client lost the response to this very rotation, and signs with the successor by now.
    if (checked.keyId === oldKeyId) {
      const current = await findActive(tx, caller)
      // The successor may have ended since it signed this. The caller knows its id, so the response
      // is the usual one for an ended key.
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
  // An account-wide revocation has ended the key under the same lock, so the key itself is the
  // guard here.
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

/** A successor keeps the name and the platform of the key before if it brings none. */
export function keepLabel(
  key: CheckedKey,
  { deviceName, platform }: Pick<KeyRow, 'deviceName' | 'platform'>,
): CheckedKey {
  return {
    ...key,
    deviceName: key.deviceName ?? deviceName ?? undefined,
    platform: key.platform ?? platform ?? undefined,
  }
}

/**
 * A key replaces another, for example by a rotation: revoking it then ends what the other has let
 * in, and revoking the other ends the new one.
 */
export async function handOn(tx: Tx, { parts }: Needs<'parts'>, succession: Succession) {
  await noteSuccessor(tx, succession)
  await handOnKeys(tx, succession)
  await parts.made.handOn(tx, succession)
}

/** Notes the successor of a key. */
async function noteSuccessor(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(deviceKeys)
    .set({ successorKeyId: to })
    .where(and(eq(deviceKeys.userId, userId), eq(deviceKeys.keyId, from)))
}

interface Latest extends Record<string, unknown> {
  key_id: string
}

/**
 * The latest key in a chain of successors: the key itself, unless it was rotated or renewed. Null
 * if no list of the account has the key. While the account is locked, nothing changes that.
 */
export async function findLatest(tx: Tx, { keyId, userId }: { keyId: string; userId: string }) {
  const { rows } = await tx.execute<Latest>(sql`
    with recursive way as (
      select key_id, successor_key_id from ${deviceKeys}
      where key_id = ${keyId} and user_id = ${userId} and state in ('active', 'revoked')
      union
      select k.key_id, k.successor_key_id from way
      join ${deviceKeys} k on k.key_id = way.successor_key_id and k.user_id = ${userId}
    )
    select key_id from way where successor_key_id is null`)
  return rows[0]?.key_id ?? null
}
