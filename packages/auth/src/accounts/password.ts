import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Sets the password of an account that this transaction holds. */
export async function setPasswordHash(tx: Tx, { userId }: LockedAccount, passwordHash: string) {
  await tx
    .update(users)
    .set({ passwordHash, passwordChangeRequired: false })
    .where(eq(users.userId, userId))
}

/** Whoever knows it has no use for it any more. The owner signs in by a code or a mailed link, and sets another. */
export async function removePassword(tx: Tx, { userId }: LockedAccount) {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.userId, userId))
}

/** Another form of the same password, unless the password has changed meanwhile. */
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
