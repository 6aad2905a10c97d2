import type { Db, Tx } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { oauthPending } from './schema.ts'

/** Forgets who has not finished in time. */
export async function forgetPending(db: Db, now: Date) {
  await db.delete(oauthPending).where(lte(oauthPending.expiresAt, now))
}

export async function forgetPendingOf(tx: Tx, userId: string) {
  await tx.delete(oauthPending).where(eq(oauthPending.userId, userId))
}
