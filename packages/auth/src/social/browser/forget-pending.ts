import type { Db, Tx } from '@svc/core'
import { and, eq, lte } from 'drizzle-orm'
import { oauthPending } from './schema.ts'

/** Forgets who has not finished in time. */
export async function forgetPending(db: Db, now: Date) {
  await db.delete(oauthPending).where(lte(oauthPending.expiresAt, now))
}

export async function forgetPendingOf(tx: Tx, userId: string) {
  await tx.delete(oauthPending).where(eq(oauthPending.userId, userId))
}

/** Who has come to an account by one provider. */
export async function forgetPendingBy(
  tx: Tx,
  { userId, provider }: { userId: string; provider: string },
) {
  const own = and(eq(oauthPending.userId, userId), eq(oauthPending.provider, provider))
  await tx.delete(oauthPending).where(own)
}

/** Deletes every sign-in that waits for a provider. Returns how many there were. */
export async function forgetEveryPending(db: Db) {
  const { rowCount } = await db.delete(oauthPending)
  return rowCount ?? 0
}
