import type { Db, Tx } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { passkeyChallenges, passkeys } from './schema.ts'

/** Forgets what nobody can answer any more. */
export async function forgetChallenges(db: Db, now: Date) {
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
}

/** For an account that goes. */
export async function forgetPasskeysOf(tx: Tx, userId: string) {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId))
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
}

/** Deletes every challenge. Returns how many there were. */
export async function forgetEveryChallenge(db: Db) {
  const { rowCount } = await db.delete(passkeyChallenges)
  return rowCount ?? 0
}
