import { type Db, type Tx, ValidationError } from '@svc/core'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { namesOf, rolesOfUser } from './account-roles.ts'
import type { LockedAccount } from './lock-account.ts'
import { profiles, users } from './schema.ts'

/** An account with its profile. */
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

/** An undefined member stays as it is; null clears it. */
type ProfileChanges = { [Name in keyof Columns]?: Columns[Name] | null | undefined }

// A column that always has a value is cleared by its default.
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

/** Returns the new locale; null stands for the default of every account. */
export async function setLocale(tx: Tx, { userId }: LockedAccount, locale: string | null) {
  const [changed] = await tx
    .update(users)
    .set({ locale: locale ?? initial })
    .where(eq(users.userId, userId))
    .returning({ locale: users.locale })
  // The account is locked, so its row exists.
  return (changed as { locale: string }).locale
}

export async function isUsernameTaken(db: Db, username: string) {
  return (await db.$count(users, eq(users.username, username))) > 0
}

/** Fails as a unique violation if another account has it. */
export async function setUsername(tx: Tx, { userId }: LockedAccount, username: string | null) {
  await tx.update(users).set({ username }).where(eq(users.userId, userId))
}

/** How much metadata is stored or passed on, in bytes of JSON. */
const metadataBytes = {
  /** Of a profile, and of an invitation. */
  kept: 8192,
  /** Of a registration: it goes to a hook and an event. */
  registration: 4096,
  /** Of a sign-in with a provider: it is sealed into the state, which is part of a URL. */
  state: 2048,
}

/** The server does not look into the metadata of an application, so its size must be limited. */
export function refuseLargeMetadata(
  metadata: object | null | undefined,
  kind: keyof typeof metadataBytes,
) {
  const most = metadataBytes[kind]
  if (!metadata || Buffer.byteLength(JSON.stringify(metadata)) <= most) return
  const message = `Send at most ${most} bytes of JSON.`
  throw new ValidationError({ fields: [{ path: 'body.metadata', message }] })
}

const languageTag = /^\s*([a-z]{2,3}(?:-[a-z\d]{2,8}){0,3})(?=\s*(?:[,;]|$))/i

/** The first language that a browser asks for; browsers send them in the order of preference. */
export function preferredLocale(acceptLanguage: string | undefined) {
  return languageTag.exec(acceptLanguage ?? '')?.[1] ?? 'en'
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Null for an account that is unknown, or no longer exists. */
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
      held: rolesOfUser,
      locale: users.locale,
      secondFactorSince: users.secondFactorSince,
      purgeAt: users.purgeAt,
      createdAt: users.createdAt,
      lastLoginAt: users.lastLoginAt,
    })
    .from(users)
    .where(eq(users.userId, userId))
  if (!account || account.status === 'deleted') return null
  const { held, ...own } = account
  const roles = namesOf(held)
  return { ...own, role: roles[0], roles }
}

export async function exportProfile(db: Db, userId: string) {
  // The rest of the row is the profile.
  const { userId: _, ...said } = getTableColumns(profiles)
  const [profile] = await db.select(said).from(profiles).where(eq(profiles.userId, userId))
  return profile ?? null
}

/** How many of the newest entries an export has of each list that has no bound. */
export const mostExported = 1000
