import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, lte, or, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'
import { revokeActive } from './store.ts'

/** A key with which an operator acts as the owner of an account. */
export interface SupportKey {
  keyId: string
  userId: string
  actor: string
}

const columns = {
  keyId: deviceKeys.keyId,
  userId: deviceKeys.userId,
  actor: deviceKeys.actorId,
}

const isSupport = eq(deviceKeys.kind, 'support')
// In the index's own words, which a parameter would not match.
const isActive = sql`${deviceKeys.kind} = 'support' and ${deviceKeys.state} = 'active'`

/**
 * Whose end may have ended sessions: an operator's, that of an operator's key, or that of an
 * owner's role.
 */
export interface Concerned {
  userIds?: readonly string[]
  actorKeyIds?: readonly string[]
}

/** The sessions that have not ended: all of them, or those that this concerns. */
export async function liveSupportKeys(db: Db, concerned?: Concerned): Promise<SupportKey[]> {
  const { userIds = [], actorKeyIds = [] } = concerned ?? {}
  const isConcerned = or(
    inArray(deviceKeys.actorId, [...userIds]),
    inArray(deviceKeys.userId, [...userIds]),
    inArray(deviceKeys.actorKeyId, [...actorKeyIds]),
  )
  const found = await db
    .select(columns)
    .from(deviceKeys)
    .where(concerned ? and(isActive, isConcerned) : isActive)
  return found.filter(isWhole)
}

/** Those that have expired, and whose end has not been recorded. */
export async function expiredSupportKeys(db: Db, now: Date): Promise<SupportKey[]> {
  const found = await db
    .select(columns)
    .from(deviceKeys)
    .where(and(isActive, lte(deviceKeys.expiresAt, now)))
  return found.filter(isWhole)
}

/** A session of an operator's, ended ones included. */
export async function findSupportKey(db: Db, { keyId, actor }: { keyId: string; actor: string }) {
  const own = and(isSupport, eq(deviceKeys.keyId, keyId), eq(deviceKeys.actorId, actor))
  const found = await db.select(columns).from(deviceKeys).where(own)
  return found.find(isWhole) ?? null
}

function isWhole(key: { [Name in keyof SupportKey]: string | null }): key is SupportKey {
  return key.userId !== null && key.actor !== null
}

/** active → revoked, under the owner's lock. False if it had ended. */
export async function revokeSupportKey(
  tx: Tx,
  { reason, now, keyId, userId }: SupportKey & { reason: string; now: Date },
) {
  return (await revokeActive(tx, { keyId, userId, reason, now })) !== null
}

/** Removes a purged operator from the sessions that they had. */
export async function forgetOperator(tx: Tx, userId: string) {
  await tx
    .update(deviceKeys)
    .set({ actorId: null, actorKeyId: null, deviceName: null })
    .where(eq(deviceKeys.actorId, userId))
}
