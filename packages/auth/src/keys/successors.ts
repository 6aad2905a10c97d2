import type { Tx } from '@svc/core'
import { and, eq, sql } from 'drizzle-orm'
import type { Succession } from '../capability/account-parts.ts'
import { deviceKeys } from './schema.ts'

/** Keeps which key has come in the place of one. */
export async function noteSuccessor(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(deviceKeys)
    .set({ successorKeyId: to })
    .where(and(eq(deviceKeys.userId, userId), eq(deviceKeys.keyId, from)))
}

interface Latest extends Record<string, unknown> {
  key_id: string
}

/**
 * The key that is in the place of one by now: itself, unless it was rotated or renewed. Null where the account has no
 * such key in any list. Nothing moves it where the account is locked.
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
