import type { Db, Tx } from '@svc/core'
import { and, eq, gte, isNotNull, isNull } from 'drizzle-orm'
import type { Identifier } from './identifier.ts'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

export type ContactKind = Identifier['type']

const columns = {
  email: { value: users.email, verifiedAt: users.emailVerifiedAt },
  phone: { value: users.phone, verifiedAt: users.phoneVerifiedAt },
}

/** The address or number of an account that this transaction has locked, and when it was proved. */
export async function readContact(tx: Tx, { userId }: LockedAccount, kind: ContactKind) {
  const [contact] = await tx.select(columns[kind]).from(users).where(eq(users.userId, userId))
  // The account is locked, so its row exists.
  return contact as { value: string | null; verifiedAt: Date | null }
}

interface Proved extends Identifier {
  verifiedAt: Date | null
}

/** Fails as a unique violation if another account has it. */
export async function setContact(tx: Tx, { userId }: LockedAccount, contact: Proved) {
  const { type, value, verifiedAt } = contact
  const changes =
    type === 'email'
      ? { email: value, emailVerifiedAt: verifiedAt }
      : { phone: value, phoneVerifiedAt: verifiedAt }
  await tx.update(users).set(changes).where(eq(users.userId, userId))
}

/** Returns whether this is its first proof. The time of an earlier one stays as it is. */
export async function stampVerified(
  tx: Tx,
  { userId }: LockedAccount,
  { kind, now }: { kind: ContactKind; now: Date },
) {
  const stamp = kind === 'email' ? { emailVerifiedAt: now } : { phoneVerifiedAt: now }
  const stamped = await tx
    .update(users)
    .set(stamp)
    .where(and(eq(users.userId, userId), isNull(columns[kind].verifiedAt)))
    .returning({ userId: users.userId })
  return stamped.length === 1
}

const none = {
  email: { email: null, emailVerifiedAt: null },
  phone: { phone: null, phoneVerifiedAt: null },
}

/**
 * Takes an address or number off the account if it was proved at that moment or later. Otherwise
 * returns false.
 */
export async function dropContactProvedSince(
  tx: Tx,
  { userId }: LockedAccount,
  { kind, since }: { kind: ContactKind; since: Date },
) {
  const dropped = await tx
    .update(users)
    .set(none[kind])
    .where(and(eq(users.userId, userId), gte(columns[kind].verifiedAt, since)))
    .returning({ userId: users.userId })
  return dropped.length === 1
}

/**
 * Where an account gets its mail, since when, and in which language. Null if no address of it is
 * proved.
 */
export async function findReader(db: Db, userId: string) {
  const [account] = await db
    .select({ email: users.email, emailVerifiedAt: users.emailVerifiedAt, locale: users.locale })
    .from(users)
    .where(eq(users.userId, userId))
  if (!account?.email || !account.emailVerifiedAt) return null
  const { email, emailVerifiedAt, locale } = account
  return { email, emailVerifiedAt, locale }
}

/** The language that an account is written to in. Undefined for one that no longer exists. */
export async function findLocale(db: Db, userId: string) {
  const [account] = await db
    .select({ locale: users.locale })
    .from(users)
    .where(eq(users.userId, userId))
  return account?.locale
}

/** The language of the account at an address or number. Undefined if there is none. */
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
