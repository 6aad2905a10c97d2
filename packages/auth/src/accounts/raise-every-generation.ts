import type { Tx } from '@svc/core'
import { asc, gt, inArray, sql } from 'drizzle-orm'
import { users } from './schema.ts'

/**
 * Locks the next accounts in the order of their ids, and voids all that was checked against their generation. Returns
 * their ids: none when all are done.
 */
export async function raiseNextGenerations(
  tx: Tx,
  { after, most }: { after: string | null; most: number },
) {
  const held = await tx
    .select({ userId: users.userId })
    .from(users)
    .where(after === null ? undefined : gt(users.userId, after))
    .orderBy(asc(users.userId))
    .limit(most)
    .for('no key update')
  const userIds = held.map(({ userId }) => userId)
  if (userIds.length === 0) return []
  await tx
    .update(users)
    .set({ generation: sql`${users.generation} + 1` })
    .where(inArray(users.userId, userIds))
  return userIds
}
