import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, lte, ne } from 'drizzle-orm'
import type { Needs } from '../auth.ts'
import { oauth2Grants, oauth2Tokens } from './schema.ts'

/** Forgets what opens nothing any more, and could be replayed to no end. */
export async function forgetGrants(db: Db, now: Date) {
  await db.delete(oauth2Tokens).where(lte(oauth2Tokens.expiresAt, now))
  await db.delete(oauth2Grants).where(lte(oauth2Grants.expiresAt, now))
}

/** An answer to a refresh is kept for as long as it can be asked for again. */
export async function forgetSuccessors({ db, env }: Needs<'db' | 'env'>, now: Date) {
  const { spentAt, successor } = oauth2Tokens
  const before = new Date(now.getTime() - env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000)
  await db
    .update(oauth2Tokens)
    .set({ successor: null })
    .where(and(isNotNull(successor), lte(spentAt, before)))
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
