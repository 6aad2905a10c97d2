import type { Db } from '@svc/core'
import { eq, inArray } from 'drizzle-orm'
import { profiles, users } from './schema.ts'

/** What accounts are called, by their ids: for lists that show them. A deleted account has neither. */
export async function readNames(db: Db, userIds: readonly string[]) {
  const rows = await db
    .select({ userId: users.userId, email: users.email, displayName: profiles.displayName })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.userId))
    .where(inArray(users.userId, [...userIds]))
  return new Map(rows.map(({ userId, ...name }) => [userId, name]))
}
