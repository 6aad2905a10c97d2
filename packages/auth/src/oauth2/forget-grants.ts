import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, lte, ne } from 'drizzle-orm'
import { oauth2Grants, oauth2Tokens } from './schema.ts'

/** Forgets what opens nothing any more, and could be replayed to no end. */
export async function forgetGrants(db: Db, now: Date) {
  await db.delete(oauth2Tokens).where(lte(oauth2Tokens.expiresAt, now))
  await db.delete(oauth2Grants).where(lte(oauth2Grants.expiresAt, now))
}

/** For an account that goes. */
export async function forgetGrantsOf(tx: Tx, userId: string) {
  await tx.delete(oauth2Grants).where(eq(oauth2Grants.userId, userId))
}

/** offered or active → revoked, for all grants of these accounts. Returns how many there were. */
export async function endGrantsOf(
  tx: Tx,
  { userIds, reason, now }: { userIds: string[]; reason: string; now: Date },
) {
  const { rowCount } = await tx
    .update(oauth2Grants)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(and(inArray(oauth2Grants.userId, userIds), ne(oauth2Grants.state, 'revoked')))
  return rowCount ?? 0
}
