import type { Db, Tx } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { contactChanges } from './schema.ts'

const dayMillis = 86_400_000

/** Forgets changes a day after nobody could take them back, so that a complaint can be looked into. */
export async function forgetContactChanges(db: Db, now: Date) {
  const old = new Date(now.getTime() - dayMillis)
  await db.delete(contactChanges).where(lte(contactChanges.expiresAt, old))
}

/** For an account that goes. Its addresses and numbers are in them, older ones too. */
export async function forgetContactChangesOf(tx: Tx, userId: string) {
  await tx.delete(contactChanges).where(eq(contactChanges.userId, userId))
}
