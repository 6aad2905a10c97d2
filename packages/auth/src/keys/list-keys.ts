import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import type { Owner } from '../capability/capability.ts'
import type { KeyListItem, LetIn } from '../capability/fields.ts'
import { findMade, firstOnTheWay } from './made-keys.ts'
import { fingerprintPrefix } from './register-key.ts'
import { deviceKeys } from './schema.ts'
import { type KeyRow, listOf } from './store.ts'

export async function listKeys(
  auth: Needs<'db' | 'clock' | 'parts'>,
  { userId, generation }: Omit<Owner, 'now'>,
  { includeRevoked = false }: { includeRevoked?: boolean | undefined } = {},
) {
  const { db, clock } = auth
  const now = clock.now()
  const rows = await listOf(db, userId, { includeRevoked })
  const active = rows.filter(({ state }) => state === 'active')
  const { letIn, approvals } = await letInBy(auth, { userId, generation, now }, active)
  const keys = rows.map((row) => {
    const made = letIn.get(row.keyId)
    return { ...keyItem(row, now), ...(made && { letIn: made }) }
  })
  return { keys, ...(approvals.length > 0 && { approvals }) }
}

/**
 * What each of these keys has let in. If a key in the chain has ended, what it let in is listed with the key before it,
 * because it ends with that one.
 */
async function letInBy(
  auth: Needs<'db' | 'parts'>,
  owner: Owner,
  active: readonly { keyId: string }[],
) {
  const { made, makers } = await findMade(auth, auth.db, owner)
  const listed = new Set(active.map(({ keyId }) => keyId))
  const firstListed = firstOnTheWay(makers, (keyId) => listed.has(keyId))
  const letIn = new Map<string, LetIn[]>()
  for (const { item, maker, isPending } of made) {
    const by = firstListed(maker)
    if (by === null || isPending) continue
    const items = letIn.get(by) ?? []
    items.push(item)
    letIn.set(by, items)
  }
  return {
    letIn,
    approvals: made.map(({ item }) => item).filter(({ kind }) => kind === 'approval'),
  }
}

/** A key as its owner sees it. */
export function keyItem(key: KeyRow, now: Date): KeyListItem {
  return {
    keyId: key.keyId,
    ...(key.kind !== 'device' && { kind: key.kind }),
    ...(key.kind === 'machine' && { permissions: key.permissions ?? [] }),
    ...(key.deviceName && { deviceName: key.deviceName }),
    ...(key.platform && { platform: key.platform }),
    algorithm: key.algorithm,
    fingerprintPrefix: fingerprintPrefix(key.fingerprint),
    createdAtMillis: key.createdAt.getTime(),
    ...(key.lastUsedAt && { lastUsedAtMillis: key.lastUsedAt.getTime() }),
    expiresAtMillis: key.expiresAt.getTime(),
    isExpired: key.expiresAt <= now,
    isActive: key.state === 'active',
    ...(key.revokedAt && { revokedAtMillis: key.revokedAt.getTime() }),
    ...(key.registeredIp && { registeredIp: key.registeredIp }),
    ...(key.registeredUserAgent && { registeredUserAgent: key.registeredUserAgent }),
    ...(key.binding && { binding: key.binding }),
    ...(key.concurrentUseAt && { concurrentUseAtMillis: key.concurrentUseAt.getTime() }),
  }
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Signed-out keys too, each with its fingerprint instead of the key. */
export function exportKeys(db: Db, userId: string) {
  return db
    .select({
      keyId: deviceKeys.keyId,
      kind: deviceKeys.kind,
      permissions: deviceKeys.permissions,
      state: deviceKeys.state,
      algorithm: deviceKeys.algorithm,
      fingerprint: deviceKeys.fingerprint,
      deviceName: deviceKeys.deviceName,
      platform: deviceKeys.platform,
      registeredIp: deviceKeys.registeredIp,
      registeredUserAgent: deviceKeys.registeredUserAgent,
      createdAt: deviceKeys.createdAt,
      authenticatedAt: deviceKeys.authenticatedAt,
      signedInAt: deviceKeys.signedInAt,
      signedInBy: deviceKeys.signedInBy,
      unusedSeconds: deviceKeys.unusedSeconds,
      madeByKeyId: deviceKeys.madeByKeyId,
      actorId: deviceKeys.actorId,
      binding: deviceKeys.binding,
      expiresAt: deviceKeys.expiresAt,
      lastUsedAt: deviceKeys.lastUsedAt,
      lastAddress: deviceKeys.lastAddress,
      revokedAt: deviceKeys.revokedAt,
      revokedReason: deviceKeys.revokedReason,
      successorKeyId: deviceKeys.successorKeyId,
    })
    .from(deviceKeys)
    .where(eq(deviceKeys.userId, userId))
    .orderBy(desc(deviceKeys.createdAt), deviceKeys.keyId)
    .limit(mostExported)
}

/** What the device of a key calls itself. */
export async function findKeyName(db: Db, keyId: string): Promise<string | null> {
  const { deviceName: name } = deviceKeys
  const [found] = await db.select({ name }).from(deviceKeys).where(eq(deviceKeys.keyId, keyId))
  return found?.name ?? null
}
