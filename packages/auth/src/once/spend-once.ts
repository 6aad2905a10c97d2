import type { Db } from '@svc/core'
import { eq, lte, sql } from 'drizzle-orm'
import { spent } from './schema.ts'

/**
 * An instance whose clock is behind accepts a token for longer, and one whose clock is ahead forgets it earlier. An
 * instance that is off by more than half a minute is not ready; this margin is for requests that it handles anyway.
 */
export const keptLongerMillis = 15 * 60_000

/**
 * True for the one caller who gets there first. In a transaction, a second caller waits for its outcome: what is rolled
 * back was not spent. It is stored for a quarter of an hour longer than it is accepted.
 */
export async function spendOnce(db: Db, id: string, expiresAt: Date) {
  const until = new Date(expiresAt.getTime() + keptLongerMillis)
  const rows = await db
    .insert(spent)
    .values({ id, until })
    .onConflictDoNothing()
    .returning({ id: spent.id })
  return rows.length === 1
}

/** Whether somebody was there before: for what is told, and for nothing that is decided. */
export async function isSpent(db: Db, id: string) {
  return (await db.$count(spent, eq(spent.id, id))) > 0
}

/** Deletes what has expired by both clocks: an instance that is far ahead must not delete ids for all instances. */
export async function forgetSpent(db: Db, now: Date) {
  const earlier = sql<Date>`least(${now.toISOString()}::timestamptz, clock_timestamp())`
  await db.delete(spent).where(lte(spent.until, earlier))
}
