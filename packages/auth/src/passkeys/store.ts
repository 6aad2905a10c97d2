import type { Db, Tx } from '@svc/core'
import { and, asc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { TokenHash } from '../crypto/token.ts'
import { type ChallengeKind, passkeyChallenges, passkeys } from './schema.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

type NewChallenge = typeof passkeyChallenges.$inferInsert & { hash: TokenHash }

export async function putChallenge(db: Db, challenge: NewChallenge) {
  await db.insert(passkeyChallenges).values(challenge)
}

/** What a challenge was made for. */
export interface ChallengeOwner {
  kind: ChallengeKind
  /** Nobody's for a sign-in. */
  userId: string | null
  keyId: string | null
}

/** Takes a live challenge away. False when it was used, or was made for something else. */
export async function spendChallenge(
  db: Db,
  { hash, kind, userId, keyId, now }: ChallengeOwner & { hash: TokenHash; now: Date },
) {
  const { userId: owner, keyId: key } = passkeyChallenges
  const spent = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, hash),
        eq(passkeyChallenges.kind, kind),
        userId === null ? isNull(owner) : eq(owner, userId),
        keyId === null ? isNull(key) : eq(key, keyId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ hash: passkeyChallenges.hash })
  return spent.length === 1
}

/** Forgets what nobody can answer any more. */
export async function forgetOverdue(db: Db, now: Date) {
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
}

export function passkeysOf(db: Db, userId: string) {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), passkeys.passkeyId)
}

export async function findByCredential(db: Db, credentialId: string) {
  const [found] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return found ?? null
}

/**
 * Writes down that a passkey has signed. Of two assertions with one counter, and of a passkey that was taken away
 * meanwhile, false. One that is synced between devices always says zero.
 */
export async function noteAssertion(
  tx: Tx,
  { passkeyId, counter, backedUp, now }: Assertion & { passkeyId: string; now: Date },
) {
  const isAhead = sql`${passkeys.counter} < ${counter}`
  const countsNothing = sql`${passkeys.counter} = 0 and ${counter} = 0`
  const noted = await tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: now })
    .where(and(eq(passkeys.passkeyId, passkeyId), or(isAhead, countsNothing)))
    .returning({ passkeyId: passkeys.passkeyId })
  return noted.length === 1
}

interface Assertion {
  counter: number
  backedUp: boolean
}
