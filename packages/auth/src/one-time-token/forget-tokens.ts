import type { Db, Tx } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { oneTimeTokens } from './schema.ts'

export async function forgetTokens(db: Db, now: Date) {
  await db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, now))
}

/** For an account that goes. */
export async function forgetTokensOf(tx: Tx, userId: string) {
  await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))
}

/** Deletes every token of every account. */
export async function forgetEveryToken(db: Db) {
  await db.delete(oneTimeTokens)
}
