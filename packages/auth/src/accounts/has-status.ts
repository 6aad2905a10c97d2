import { type AnyColumn, and, eq, inArray, sql } from 'drizzle-orm'
import type { AccountStatus } from './account-status.ts'
import { users } from './schema.ts'

/** Whether the account of a row is in one of these states. */
export function hasStatus(userId: AnyColumn, statuses: AccountStatus[]) {
  const found = and(eq(users.userId, userId), inArray(users.status, statuses))
  return sql`exists (select from ${users} where ${found})`
}
