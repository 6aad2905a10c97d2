import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { TokenHash } from '../../crypto/token.ts'
import { oauthPending } from './schema.ts'

export type PendingRow = typeof oauthPending.$inferSelect

/**
 * False when another account waits there: nobody puts theirs in its place. Whoever comes again in time has given up the
 * sign-in before.
 */
export async function putPending(tx: Tx, row: PendingRow & { hash: TokenHash }, now: Date) {
  const { userId, expiresAt } = oauthPending
  const isFree = sql`${lte(expiresAt, now)} or ${eq(userId, row.userId)}`
  const put = await tx
    .insert(oauthPending)
    .values(row)
    .onConflictDoUpdate({ target: oauthPending.hash, set: row, setWhere: isFree })
    .returning({ hash: oauthPending.hash })
  return put.length === 1
}

const live = (hash: TokenHash, now: Date) =>
  and(eq(oauthPending.hash, hash), gt(oauthPending.expiresAt, now))

export async function findPending(db: Db, hash: TokenHash, now: Date) {
  const [found] = await db.select().from(oauthPending).where(live(hash, now))
  return found ?? null
}

/** False for the second of two who finish. */
export async function spendPending(tx: Tx, hash: TokenHash, now: Date) {
  const spent = await tx
    .delete(oauthPending)
    .where(live(hash, now))
    .returning({ hash: oauthPending.hash })
  return spent.length === 1
}
