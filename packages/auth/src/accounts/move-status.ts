import type { Tx } from '@svc/core'
import { and, eq } from 'drizzle-orm'
import type { AccountStatus } from './account-status.ts'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** False when the account was not in the state that it should leave. */
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
