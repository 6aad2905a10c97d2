import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Succession } from '../capability/account-parts.ts'
import { deviceKeys } from './schema.ts'

/** The live keys of an account that another key of it has let in. */
export function madeKeysOf(db: Db, userId: string) {
  const { keyId, state, kind, deviceName, platform, madeByKeyId } = deviceKeys
  return db
    .select({ keyId, state, kind, deviceName, platform, madeByKeyId })
    .from(deviceKeys)
    .where(
      and(
        eq(deviceKeys.userId, userId),
        inArray(state, ['active', 'pending']),
        isNotNull(madeByKeyId),
      ),
    )
    .orderBy(deviceKeys.createdAt, keyId)
}

interface Link extends Record<string, unknown> {
  key_id: string
  made_by_key_id: string
}

/**
 * Which key let each of these in, which key let that one in, and so on. Ended keys count too: otherwise a thief could
 * cut the chain by signing out in the middle. Each key is read once, also if several chains contain it.
 */
export async function makersOf(db: Db, userId: string, keyIds: readonly string[]) {
  if (keyIds.length === 0) return []
  const { rows } = await db.execute<Link>(sql`
    with recursive way as (
      select key_id, made_by_key_id from ${deviceKeys}
      where key_id in ${[...keyIds]} and user_id = ${userId}
      union
      select k.key_id, k.made_by_key_id from way
      join ${deviceKeys} k on k.key_id = way.made_by_key_id and k.user_id = ${userId}
    )
    select key_id, made_by_key_id from way where made_by_key_id is not null`)
  return rows.map((row) => [row.key_id, row.made_by_key_id] as const)
}

interface Ending {
  userId: string
  keyIds: readonly string[]
  now: Date
}

/**
 * active → revoked, and pending → deleted. Returns the ids of the keys that were active. The reason is a separate one:
 * such a key has not ended itself, so its own sign-out must not answer that it has.
 */
export async function endMadeKeys(tx: Tx, { userId, keyIds, now }: Ending) {
  if (keyIds.length === 0) return []
  const ended = await tx
    .update(deviceKeys)
    .set({
      // The state on the right is the value before this statement.
      state: sql`case ${deviceKeys.state} when 'pending' then 'deleted' else 'revoked' end`,
      revokedAt: now,
      revokedReason: 'maker_revoked',
    })
    .where(
      and(
        eq(deviceKeys.userId, userId),
        inArray(deviceKeys.keyId, [...keyIds]),
        inArray(deviceKeys.state, ['active', 'pending']),
      ),
    )
    .returning({ keyId: deviceKeys.keyId, state: deviceKeys.state })
  return ended.filter(({ state }) => state === 'revoked').map(({ keyId }) => keyId)
}

/** Moves what a key has let in to its successor. */
export async function handOnKeys(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(deviceKeys)
    .set({ madeByKeyId: to })
    .where(and(eq(deviceKeys.userId, userId), eq(deviceKeys.madeByKeyId, from)))
}
