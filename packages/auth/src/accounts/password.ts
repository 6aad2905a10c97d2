import type { Db, Tx } from '@svc/core'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Sets the password of an account that this transaction holds. */
export async function setPasswordHash(tx: Tx, { userId }: LockedAccount, passwordHash: string) {
  await tx
    .update(users)
    .set({ passwordHash, passwordChangeRequired: false })
    .where(eq(users.userId, userId))
}

/** Whoever opened a mailed link reads the address. When it was proved first stays as it is. */
export async function stampEmailVerified(tx: Tx, { userId }: LockedAccount, now: Date) {
  await tx
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.userId, userId), isNull(users.emailVerifiedAt)))
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
