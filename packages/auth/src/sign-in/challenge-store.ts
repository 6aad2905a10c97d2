import type { Db, Tx } from '@svc/core'
import { and, eq, gt, lt, lte, sql } from 'drizzle-orm'
import type { TokenHash } from '../crypto/crypto.ts'
import { signInChallenges } from './schema.ts'

/** Already hashed: a store must not hold what a client presents. */
type NewChallenge = typeof signInChallenges.$inferInsert & { hash: TokenHash }
export type SignInChallenge = typeof signInChallenges.$inferSelect

// Wrong proofs of the factor, of all kinds.
export const mostTries = 5

/** Replaces the key's earlier challenge. */
export async function putChallenge(tx: Tx, challenge: NewChallenge) {
  const { keyId: _, ...fresh } = challenge
  await tx
    .insert(signInChallenges)
    .values(challenge)
    .onConflictDoUpdate({ target: signInChallenges.keyId, set: { ...fresh, tries: 0 } })
}

const live = (hash: TokenHash, now: Date) =>
  and(
    eq(signInChallenges.hash, hash),
    gt(signInChallenges.expiresAt, now),
    lt(signInChallenges.tries, mostTries),
  )

export async function findChallenge(db: Db, hash: TokenHash, now: Date) {
  const [found] = await db.select().from(signInChallenges).where(live(hash, now))
  return found ?? null
}

/**
 * Counts a try before anything is compared: of any number at once, five learn whether they are
 * right.
 */
export async function takeChallengeTry(tx: Tx, hash: TokenHash, now: Date) {
  const [taken] = await tx
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(live(hash, now))
    .returning()
  return taken ?? null
}

/** Removes the challenge. Null if another request already has. */
export async function spendChallenge(tx: Tx, { hash }: Pick<SignInChallenge, 'hash'>) {
  const [spent] = await tx
    .delete(signInChallenges)
    .where(eq(signInChallenges.hash, hash))
    .returning()
  return spent ?? null
}

/** The challenges that have expired. */
export function overdueChallenges(db: Db, now: Date) {
  return db.select().from(signInChallenges).where(lte(signInChallenges.expiresAt, now))
}

/** For an account that has no second factor any more. Returns the waiting keys. */
export async function deleteChallengesOf(tx: Tx, userId: string) {
  const gone = await tx
    .delete(signInChallenges)
    .where(eq(signInChallenges.userId, userId))
    .returning({ keyId: signInChallenges.keyId })
  return gone.map(({ keyId }) => keyId)
}

/** Deletes every sign-in that waits for a second factor. Returns how many there were. */
export async function deleteEveryChallenge(db: Db) {
  const { rowCount } = await db.delete(signInChallenges)
  return rowCount ?? 0
}
