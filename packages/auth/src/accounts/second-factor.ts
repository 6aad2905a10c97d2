import type { Tx } from '@svc/core'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

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
