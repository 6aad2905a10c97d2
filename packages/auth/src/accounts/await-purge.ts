import type { Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** active → pending_deletion. False when the account was not active. */
export async function awaitPurge(tx: Tx, { userId }: LockedAccount, purgeAt: Date) {
  const moved = await tx
    .update(users)
    .set({ status: 'pending_deletion', purgeAt })
    .where(and(eq(users.userId, userId), eq(users.status, 'active')))
    .returning({ status: users.status })
  return moved.length === 1
}

/** pending_deletion → active. False when nothing was pending, or its time has come. */
export async function restorePending(tx: Tx, { userId }: LockedAccount, now: Date) {
  const isPending = and(eq(users.status, 'pending_deletion'), gt(users.purgeAt, now))
  const moved = await tx
    .update(users)
    .set({ status: 'active', purgeAt: null })
    .where(and(eq(users.userId, userId), isPending))
    .returning({ status: users.status })
  return moved.length === 1
}
