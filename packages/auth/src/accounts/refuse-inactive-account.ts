import type { Db } from '@svc/core'
import { eq } from 'drizzle-orm'
import { refuseInactive } from './lock-account.ts'
import { users } from './schema.ts'

/** Refuses for an account that may not sign in right now. One that does not exist is for the caller to find out. */
export async function refuseInactiveAccount(db: Db, userId: string) {
  const [account] = await db
    .select({ status: users.status })
    .from(users)
    .where(eq(users.userId, userId))
  if (account) refuseInactive(account)
}
