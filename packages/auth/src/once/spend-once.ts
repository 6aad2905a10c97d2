import type { Db } from '@svc/core'
import { eq, lte, sql } from 'drizzle-orm'
import { spent } from './schema.ts'

/**
 * An instance whose clock is behind takes a token for as much longer, and one whose clock is ahead forgets it as much
 * earlier. One that is off by more than half a minute is not ready; this is for what it does all the same.
 */
export const keptLongerMillis = 15 * 60_000

/**
 * True for the one caller who gets there first. In a transaction, a second caller waits for its outcome: what is rolled
 * back was not spent. It is remembered for a quarter of an hour longer than it is taken.
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

/** Forgets what can no longer be used, by both clocks: one that is far ahead must not forget for all instances. */
export async function forgetSpent(db: Db, now: Date) {
  const earlier = sql<Date>`least(${now.toISOString()}::timestamptz, clock_timestamp())`
  await db.delete(spent).where(lte(spent.until, earlier))
}
