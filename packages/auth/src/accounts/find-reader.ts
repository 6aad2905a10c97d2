import type { Db } from '@svc/core'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Identifier } from './identifier.ts'
import { users } from './schema.ts'

/** Where an account reads its mail, and in which language. Null when no address of it is proved. */
export async function findReader(db: Db, userId: string) {
  const [account] = await db
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt, locale: users.locale })
    .from(users)
    .where(eq(users.userId, userId))
  if (!account?.email || !account.emailVerifiedAt) return null
  const { email, locale } = account
  return { email, locale }
}

/** The language that an account is written to in. Undefined for one that is gone. */
export async function findLocale(db: Db, userId: string) {
  const [account] = await db
    .select({ locale: users.locale })
    .from(users)
    .where(eq(users.userId, userId))
  return account?.locale
}

/** The language of the account at an address or number. Undefined where there is none. */
export async function findLocaleAt(db: Db, { type, value }: Identifier) {
  const [account] = await db
    .select({ locale: users.locale })
    .from(users)
    .where(eq(users[type], value))
  return account?.locale
}

/** The active account at a proven address, with its generation and language. */
export async function findAtProvenAddress(db: Db, email: string) {
  const [account] = await db
    .select({ userId: users.userId, generation: users.generation, locale: users.locale })
    .from(users)
    .where(
      and(eq(users.email, email), eq(users.status, 'active'), isNotNull(users.emailVerifiedAt)),
    )
  return account ?? null
}
