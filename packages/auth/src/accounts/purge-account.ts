import type { Db, Tx } from '@svc/core'
import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { profiles, users } from './schema.ts'

const isDue = (now: Date) => and(eq(users.status, 'pending_deletion'), lte(users.purgeAt, now))

/** The ids of accounts whose time has come, in their order. */
export async function listDue(
  db: Db,
  { after, now, limit }: { after: string; now: Date; limit: number },
) {
  const due = await db
    .select({ userId: users.userId })
    .from(users)
    .where(and(isDue(now), gt(users.userId, after)))
    .orderBy(asc(users.userId))
    .limit(limit)
  return due.map(({ userId }) => userId)
}

// What every account begins with.
const initial = sql`default`

/** pending_deletion → deleted, without anything that tells whose it was. False when it is not due any more. */
export async function anonymise(tx: Tx, { userId }: LockedAccount, now: Date) {
  const gone = await tx
    .update(users)
    .set({
      status: 'deleted',
      purgeAt: null,
      email: null,
      emailVerifiedAt: null,
      phone: null,
      phoneVerifiedAt: null,
      username: null,
      passwordHash: null,
      passwordChangeRequired: false,
      secondFactorSince: null,
      locale: initial,
      lastLoginAt: null,
      // Its role must not keep an administrator from deleting that role.
      role: 'user',
      generation: sql`${users.generation} + 1`,
    })
    .where(and(eq(users.userId, userId), isDue(now)))
    .returning({ status: users.status })
  if (gone.length === 0) return false
  await tx.delete(profiles).where(eq(profiles.userId, userId))
  await tx.insert(profiles).values({ userId })
  return true
}

export async function deleteAccount(tx: Tx, { userId }: LockedAccount) {
  await tx.delete(users).where(eq(users.userId, userId))
}
