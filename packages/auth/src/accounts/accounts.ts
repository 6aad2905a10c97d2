import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import { displayText } from '../display-text.ts'
import { type Identifier, normaliseEmail } from './identifier.ts'
import { lockAccount } from './lock-account.ts'
import { type AccountStatus, profiles, users } from './schema.ts'

export {
  countHolders,
  type HeldRole,
  hasActiveHolder,
  hasOtherActiveHolder,
  heldRoles,
  highestFirst,
  isActiveHolder,
  namesOf,
  setRoles,
} from './account-roles.ts'
export {
  type ContactKind,
  dropContactProvedSince,
  findAtProvenAddress,
  findLocale,
  findLocaleAt,
  findReader,
  readContact,
  setContact,
  stampVerified,
} from './contact.ts'
export {
  beginSecondFactor,
  demandNewPassword,
  endSecondFactor,
  hasPassword,
  noteLogin,
  raiseGeneration,
  raiseNextGenerations,
  removePassword,
  replacePasswordHash,
  setPasswordHash,
} from './credentials.ts'
export {
  accountName,
  type Identifier,
  identifiersOf,
  normaliseEmail,
  normalisePhone,
  readIdentifier,
  readTarget,
} from './identifier.ts'
export { findNamed, goneAccount, labelsOf } from './labels.ts'
export {
  readUserPage,
  readUserRow,
  selectUsers,
  type UserQuery,
  type UserRow,
} from './list-users.ts'
export {
  type CallersAccount,
  type EntitledAccount,
  type FreshAccount,
  isOfGeneration,
  type LockedAccount,
  lockAccount,
  lockUser,
  refuseInactive,
  refuseInactiveAccount,
  type ServiceAccount,
} from './lock-account.ts'
export {
  changeProfile,
  exportAccount,
  exportProfile,
  isUsernameTaken,
  mostExported,
  preferredLocale,
  readProfile,
  refuseLargeMetadata,
  setLocale,
  setUsername,
} from './profile.ts'
export { readNames } from './read-names.ts'
export type { AccountStatus } from './schema.ts'
export {
  anonymise,
  awaitPurge,
  deleteAccount,
  hasStatus,
  isDueNow,
  listDue,
  moveStatus,
  restorePending,
} from './status.ts'

interface NewAccount {
  /** The user id if an import knows it; drawn unless given. */
  userId?: string
  username?: string | null
  email?: string | null
  emailVerifiedAt?: Date | null
  phone?: string | null
  phoneVerifiedAt?: Date | null
  passwordHash: string | null
  role: string
  locale?: string
  passwordChangeRequired?: boolean
  isService?: boolean
  displayName?: string | undefined
  now: Date
}

/**
 * Opens an account. Null if another account has its address, number or username, or if it already
 * exists.
 */
export async function createAccount(tx: Tx, { displayName, now, ...account }: NewAccount) {
  const { userId = randomUUID() } = account
  const [created] = await tx
    .insert(users)
    .values({ ...account, userId, publicId: randomUUID(), createdAt: now })
    .onConflictDoNothing()
    .returning({ userId: users.userId })
  if (!created) return null
  await tx.insert(profiles).values({ userId, displayName: displayText(displayName, 100) })
  return lockAccount(tx, userId)
}

/** What signing in with a password or a code begins with: the account, and its generation. */
export async function findAccount(db: Db, { type, value }: Identifier) {
  const [account] = await db
    .select({
      verifiedAt: type === 'email' ? users.emailVerifiedAt : users.phoneVerifiedAt,
      userId: users.userId,
      generation: users.generation,
      passwordHash: users.passwordHash,
      status: users.status,
    })
    .from(users)
    .where(eq(users[type], value))
  return account ?? null
}

/**
 * For a capability that is given an address: the account that has it, its generation, and its
 * status.
 */
export async function findAccountByEmail(db: Db, email: string) {
  const found = await findAccount(db, { type: 'email', value: normaliseEmail(email) })
  return found && { userId: found.userId, generation: found.generation, status: found.status }
}

/** The status of each of these accounts that exists. A purge leaves a row that is `deleted`, or none. */
export async function statusesOf(db: Db, userIds: readonly string[]) {
  if (userIds.length === 0) return new Map<string, AccountStatus>()
  const { userId, status } = users
  const rows = await db
    .select({ userId, status })
    .from(users)
    .where(inArray(userId, [...userIds]))
  return new Map(rows.map((row) => [row.userId, row.status]))
}

/** By what operators tell these accounts apart. */
export async function namesOfAccounts(db: Db, userIds: readonly string[]) {
  const { userId, publicId, email, phone, username } = users
  const rows = await db
    .select({ userId, publicId, email, phone, username })
    .from(users)
    .where(inArray(userId, [...userIds]))
  return new Map(rows.map((row) => [row.userId, row]))
}

/** The account that a credential belongs to, and its generation. Null if it no longer exists. */
export async function findGeneration(db: Db, userId: string) {
  const [account] = await db
    .select({ userId: users.userId, generation: users.generation })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}

/** The credentials with which a signed-in user can prove themselves once more. */
export async function findCredentials(db: Db, userId: string) {
  const [account] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}

/** What a new password must not be. Null for an account that no longer exists. */
export async function findName(db: Db, userId: string) {
  const [account] = await db
    .select({ userId: users.userId, email: users.email, username: users.username })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}

/**
 * The account that a reset link may be mailed for. An unproved address belongs to the
 * account only if a password already does. Otherwise a provider's claim would give the account to
 * any reader of that mailbox.
 */
export async function findResettable(db: Db, email: string) {
  const [account] = await db
    .select({ userId: users.userId, generation: users.generation, locale: users.locale })
    .from(users)
    .where(
      and(
        eq(users.email, email),
        eq(users.status, 'active'),
        or(isNotNull(users.emailVerifiedAt), isNotNull(users.passwordHash)),
      ),
    )
  return account ?? null
}

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

/** Whether an account has a password, or an address or number that a code can be sent to. */
export async function hasCredential(db: Db, userId: string) {
  const any = or(isNotNull(users.passwordHash), isNotNull(users.email), isNotNull(users.phone))
  return (await db.$count(users, and(eq(users.userId, userId), any))) > 0
}
