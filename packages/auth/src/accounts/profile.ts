import type { Db, Tx } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { profiles, users } from './schema.ts'

/** An account with what it says of itself. */
export async function readProfile(db: Db, userId: string) {
  const [found] = await db
    .select({
      account: {
        publicId: users.publicId,
        email: users.email,
        emailVerifiedAt: users.emailVerifiedAt,
        phoneVerifiedAt: users.phoneVerifiedAt,
        username: users.username,
        locale: users.locale,
        createdAt: users.createdAt,
        lastLoginAt: users.lastLoginAt,
      },
      profile: profiles,
    })
    .from(users)
    .innerJoin(profiles, eq(profiles.userId, users.userId))
    .where(eq(users.userId, userId))
  return found ?? null
}

type Columns = Omit<typeof profiles.$inferInsert, 'userId'>

/** What is undefined stays as it is; null clears it. */
type ProfileChanges = { [Name in keyof Columns]?: Columns[Name] | null | undefined }

// A column that always has a value is cleared by having the one it begins with.
const initial = sql`default`

export async function changeProfile(
  tx: Tx,
  { userId }: LockedAccount,
  { timezone, metadata, ...texts }: ProfileChanges,
) {
  const changes = {
    ...texts,
    timezone: timezone === null ? initial : timezone,
    metadata: metadata === null ? initial : metadata,
  }
  if (Object.values(changes).every((change) => change === undefined)) return
  await tx.update(profiles).set(changes).where(eq(profiles.userId, userId))
}

/** Answers what the locale is now; null is the one that every account begins with. */
export async function setLocale(tx: Tx, { userId }: LockedAccount, locale: string | null) {
  const [changed] = await tx
    .update(users)
    .set({ locale: locale ?? initial })
    .where(eq(users.userId, userId))
    .returning({ locale: users.locale })
  // The account is locked: it is there.
  return (changed as { locale: string }).locale
}
