import type { Db } from '@svc/core'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { profiles, users } from './schema.ts'

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Null for an account that is unknown, or gone. */
export async function exportAccount(db: Db, userId: string) {
  const [account] = await db
    .select({
      userId: users.userId,
      publicId: users.publicId,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      phone: users.phone,
      phoneVerifiedAt: users.phoneVerifiedAt,
      username: users.username,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      status: users.status,
      role: users.role,
      locale: users.locale,
      secondFactorSince: users.secondFactorSince,
      purgeAt: users.purgeAt,
      createdAt: users.createdAt,
      lastLoginAt: users.lastLoginAt,
    })
    .from(users)
    .where(eq(users.userId, userId))
  return account && account.status !== 'deleted' ? account : null
}

export async function exportProfile(db: Db, userId: string) {
  // All of it is what the account says of itself.
  const { userId: _, ...said } = getTableColumns(profiles)
  const [profile] = await db.select(said).from(profiles).where(eq(profiles.userId, userId))
  return profile ?? null
}
