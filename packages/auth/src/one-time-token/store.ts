import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lte } from 'drizzle-orm'
import type { TokenHash } from '../crypto/crypto.ts'
import { oneTimeTokens } from './schema.ts'

export async function insertToken(
  db: Db,
  token: { tokenHash: TokenHash; userId: string; keyId: string; expiresAt: Date },
) {
  await db.insert(oneTimeTokens).values(token)
}

/** Deletes the token and returns its account and key: of concurrent callers, only one gets it. */
export async function spendToken(db: Db, tokenHash: TokenHash, now: Date) {
  const [spent] = await db
    .delete(oneTimeTokens)
    .where(and(eq(oneTimeTokens.tokenHash, tokenHash), gt(oneTimeTokens.expiresAt, now)))
    .returning({ userId: oneTimeTokens.userId, keyId: oneTimeTokens.keyId })
  return spent ?? null
}

export async function forgetTokens(db: Db, now: Date) {
  await db.delete(oneTimeTokens).where(lte(oneTimeTokens.expiresAt, now))
}

/** For an account that is purged. */
export async function forgetTokensOf(tx: Tx, userId: string) {
  await tx.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId))
}

/** Deletes every token of every account. */
export async function forgetEveryToken(db: Db) {
  await db.delete(oneTimeTokens)
}
