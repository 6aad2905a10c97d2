import type { Db } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { spent } from './schema.ts'

/**
 * True for the one caller who gets there first. In a transaction, a second caller waits for its outcome: what is rolled
 * back was not spent.
 */
export async function spendOnce(db: Db, id: string, until: Date) {
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

/** Forgets what nobody could use any more. */
export async function forgetSpent(db: Db, now: Date) {
  await db.delete(spent).where(lte(spent.until, now))
}
