import type { Db } from '@svc/core'
import { eq, or } from 'drizzle-orm'
import { users } from './schema.ts'

interface Names {
  userId?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  username?: string | undefined
}

/** Every account that has one of these. */
export async function findHolders(db: Db, { userId, email, phone, username }: Names) {
  const named = [
    userId === undefined ? undefined : eq(users.userId, userId),
    email === undefined ? undefined : eq(users.email, email),
    phone === undefined ? undefined : eq(users.phone, phone),
    username === undefined ? undefined : eq(users.username, username),
  ].filter((each) => each !== undefined)
  if (named.length === 0) return []
  const { email: emails, phone: phones, username: usernames } = users
  return db
    .select({ userId: users.userId, email: emails, phone: phones, username: usernames })
    .from(users)
    .where(or(...named))
}

export type Holder = Awaited<ReturnType<typeof findHolders>>[number]
