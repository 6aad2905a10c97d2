import type { Db } from '@svc/core'
import { and, eq, ne } from 'drizzle-orm'
import { users } from './schema.ts'

/** How many accounts have the role, in whichever state. */
export function countHolders(db: Db, role: string) {
  return db.$count(users, eq(users.role, role))
}

const isActive = (role: string) => and(eq(users.role, role), eq(users.status, 'active'))

/** Whether the account has the role now, and may use it. */
export async function isActiveHolder(db: Db, userId: string, role: string) {
  return (await db.$count(users, and(isActive(role), eq(users.userId, userId)))) > 0
}

/** Whether anybody else has the role now, and may use it. */
export async function hasOtherActiveHolder(db: Db, userId: string, role: string) {
  return (await db.$count(users, and(isActive(role), ne(users.userId, userId)))) > 0
}
