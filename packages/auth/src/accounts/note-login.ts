import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

export async function noteLogin(tx: Tx, { userId }: LockedAccount, now: Date) {
  await tx.update(users).set({ lastLoginAt: now }).where(eq(users.userId, userId))
}
