import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Gives an account that this transaction holds another role, which the transaction holds too. */
export async function setRole(tx: Tx, { userId }: LockedAccount, role: string) {
  await tx.update(users).set({ role }).where(eq(users.userId, userId))
}
