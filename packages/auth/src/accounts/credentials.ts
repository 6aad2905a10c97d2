import type { Db, Tx } from '@svc/core'
import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Sets the password of an account that this transaction has locked. */
export async function setPasswordHash(tx: Tx, { userId }: LockedAccount, passwordHash: string) {
  await tx
    .update(users)
    .set({ passwordHash, passwordChangeRequired: false })
    .where(eq(users.userId, userId))
}

/** False for an account without a password. */
export async function demandNewPassword(tx: Tx, { userId }: LockedAccount) {
  const demanded = await tx
    .update(users)
    .set({ passwordChangeRequired: true })
    .where(and(eq(users.userId, userId), isNotNull(users.passwordHash)))
    .returning({ userId: users.userId })
  return demanded.length === 1
}

/**
 * An attacker who knows the password can no longer use it. The owner signs in by a code or a mailed
 * link, and sets another.
 */
export async function removePassword(tx: Tx, { userId }: LockedAccount) {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.userId, userId))
}

/** Stores another hash of the same password, unless the password has changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  { userId, from, to }: { userId: string; from: string; to: string },
) {
  await db
    .update(users)
    .set({ passwordHash: to })
    .where(and(eq(users.userId, userId), eq(users.passwordHash, from)))
}

export async function hasPassword(db: Db, userId: string) {
  const own = and(eq(users.userId, userId), isNotNull(users.passwordHash))
  return (await db.$count(users, own)) > 0
}

/** None → one. False when the account had a second factor already. */
export async function beginSecondFactor(tx: Tx, { userId }: LockedAccount, now: Date) {
  const begun = await tx
    .update(users)
    .set({ secondFactorSince: now })
    .where(and(eq(users.userId, userId), isNull(users.secondFactorSince)))
    .returning({ userId: users.userId })
  return begun.length === 1
}

/** One → none. False when the account had no second factor. */
export async function endSecondFactor(tx: Tx, { userId }: LockedAccount) {
  const ended = await tx
    .update(users)
    .set({ secondFactorSince: null })
    .where(and(eq(users.userId, userId), isNotNull(users.secondFactorSince)))
    .returning({ userId: users.userId })
  return ended.length === 1
}

/** Everything that was checked against the generation before this one is void from the commit on. */
export async function raiseGeneration(tx: Tx, { userId }: LockedAccount) {
  await tx
    .update(users)
    .set({ generation: sql`${users.generation} + 1` })
    .where(eq(users.userId, userId))
}

/**
 * Locks the next accounts in the order of their ids, and voids all that was checked against their
 * generation. Returns their ids, or none once all are done.
 */
export async function raiseNextGenerations(
  tx: Tx,
  { after, most }: { after: string | null; most: number },
) {
  const held = await tx
    .select({ userId: users.userId })
    .from(users)
    .where(after === null ? undefined : gt(users.userId, after))
    .orderBy(asc(users.userId))
    .limit(most)
    .for('no key update')
  const userIds = held.map(({ userId }) => userId)
  if (userIds.length === 0) return []
  await tx
    .update(users)
    .set({ generation: sql`${users.generation} + 1` })
    .where(inArray(users.userId, userIds))
  return userIds
}

export async function noteLogin(tx: Tx, { userId }: LockedAccount, now: Date) {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.userId, userId))
}
