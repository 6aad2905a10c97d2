import type { Db } from '@svc/core'
import { and, eq, isNotNull, or } from 'drizzle-orm'
import { users } from './schema.ts'

/** Whether an account has a password, or an address or number that a code can be sent to. */
export async function hasCredential(db: Db, userId: string) {
  const any = or(isNotNull(users.passwordHash), isNotNull(users.email), isNotNull(users.phone))
  return (await db.$count(users, and(eq(users.userId, userId), any))) > 0
}
