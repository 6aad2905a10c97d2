import type { Db, Tx } from '@svc/core'
import { type AnyColumn, and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { type AccountStatus, profiles, users } from './schema.ts'

/** False if the account was not in the expected state. */
export async function moveStatus(
  tx: Tx,
  { userId }: LockedAccount,
  { from, to }: { from: AccountStatus; to: AccountStatus },
) {
  const moved = await tx
    .update(users)
    .set({ status: to })
    .where(and(eq(users.userId, userId), eq(users.status, from)))
    .returning({ status: users.status })
  return moved.length === 1
}

/** Whether the account of a row is in one of these states. */
export function hasStatus(userId: AnyColumn, statuses: AccountStatus[]) {
  const found = and(eq(users.userId, userId), inArray(users.status, statuses))
  return sql`exists (select from ${users} where ${found})`
}

const isPending = eq(users.status, 'pending_deletion')
const isDue = (now: Date) => and(isPending, lte(users.purgeAt, now))

/** active → pending_deletion. False if the account was not active. */
export async function awaitPurge(tx: Tx, { userId }: LockedAccount, purgeAt: Date) {
  const moved = await tx
    .update(users)
    .set({ status: 'pending_deletion', purgeAt })
    .where(and(eq(users.userId, userId), eq(users.status, 'active')))
    .returning({ status: users.status })
  return moved.length === 1
}

/** pending_deletion → active. False if no deletion was pending, or its time has come. */
export async function restorePending(tx: Tx, { userId }: LockedAccount, now: Date) {
  const isRestorable = and(isPending, gt(users.purgeAt, now))
  const moved = await tx
    .update(users)
    .set({ status: 'active', purgeAt: null })
    .where(and(eq(users.userId, userId), isRestorable))
    .returning({ status: users.status })
  return moved.length === 1
}

/** The ids of accounts whose time has come, in order. */
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

/** It is locked, so it can't be restored until this transaction ends. */
export async function isDueNow(tx: Tx, { userId }: LockedAccount, now: Date) {
  return (await tx.$count(users, and(eq(users.userId, userId), isDue(now)))) === 1
}

// The default of every account.
const initial = sql`default`

/** pending_deletion → deleted, without any data that tells whose it was. */
export async function anonymise(tx: Tx, { userId }: LockedAccount) {
  await tx
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
      // Its role must not prevent an administrator from deleting that role.
      role: 'user',
      generation: sql`${users.generation} + 1`,
    })
    .where(and(eq(users.userId, userId), isPending))
  await tx.delete(profiles).where(eq(profiles.userId, userId))
  await tx.insert(profiles).values({ userId })
}

export async function deleteAccount(tx: Tx, { userId }: LockedAccount) {
  await tx.delete(users).where(eq(users.userId, userId))
}
