import type { Db } from '@svc/core'
import { lte } from 'drizzle-orm'
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

/** Forgets what nobody could use any more. */
export async function forgetSpent(db: Db, now: Date) {
  await db.delete(spent).where(lte(spent.until, now))
}
