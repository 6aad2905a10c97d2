import type { Db } from '@svc/core'
import { eq } from 'drizzle-orm'
import { users } from './schema.ts'

/** The language that an account is written to in. Undefined for one that is gone. */
export async function findLocale(db: Db, userId: string) {
  const [account] = await db
    .select({ locale: users.locale })
    .from(users)
    .where(eq(users.userId, userId))
  return account?.locale
}
