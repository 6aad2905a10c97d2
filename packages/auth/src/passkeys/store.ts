import type { Db, Tx } from '@svc/core'
import { and, asc, desc, eq, gt, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import { type FreshAccount, mostExported } from '../accounts/accounts.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import { isUuid } from '../pg-schema.ts'
import { type ChallengeKind, passkeyChallenges, passkeys } from './schema.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

type NewChallenge = typeof passkeyChallenges.$inferInsert & { hash: TokenHash }

export async function putChallenge(db: Db, challenge: NewChallenge) {
  await db.insert(passkeyChallenges).values(challenge)
}

/** What a challenge was made for. */
export interface ChallengeOwner {
  kind: ChallengeKind
  /** Null for a sign-in. */
  userId: string | null
  keyId: string | null
}

/** Deletes a live challenge. False if it was used, or was made for something else. */
export async function spendChallenge(
  db: Db,
  { hash, kind, userId, keyId, now }: ChallengeOwner & { hash: TokenHash; now: Date },
) {
  const { userId: owner, keyId: key } = passkeyChallenges
  const spent = await db
    .delete(passkeyChallenges)
    .where(
      and(
        eq(passkeyChallenges.hash, hash),
        eq(passkeyChallenges.kind, kind),
        userId === null ? isNull(owner) : eq(owner, userId),
        keyId === null ? isNull(key) : eq(key, keyId),
        gt(passkeyChallenges.expiresAt, now),
      ),
    )
    .returning({ hash: passkeyChallenges.hash })
  return spent.length === 1
}

export function passkeysOf(db: Db, userId: string) {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), passkeys.passkeyId)
}

export async function findByCredential(db: Db, credentialId: string) {
  const [found] = await db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId))
  return found ?? null
}

export function countPasskeys(tx: Tx, userId: string) {
  return tx.$count(passkeys, eq(passkeys.userId, userId))
}

type NewPasskey = Omit<typeof passkeys.$inferInsert, 'userId'>

/** Null if its credential is a passkey already, of any account. */
export async function insertPasskey(tx: Tx, { userId }: FreshAccount, passkey: NewPasskey) {
  const { credentialId } = passkeys
  const insert = tx.insert(passkeys).values({ ...passkey, userId })
  const [inserted] = await insert.onConflictDoNothing({ target: credentialId }).returning()
  return inserted ?? null
}

interface Own {
  userId: string
  passkeyId: string
}

/** Another account's is treated as unknown. */
export const own = ({ userId, passkeyId }: Own) =>
  isUuid(passkeyId)
    ? and(eq(passkeys.passkeyId, passkeyId), eq(passkeys.userId, userId))
    : sql`false`

export async function setLabel(tx: Tx, { label, ...passkey }: Own & { label: string | null }) {
  const [named] = await tx.update(passkeys).set({ label }).where(own(passkey)).returning()
  return named ?? null
}

/** Null if there was none to delete. */
export async function deletePasskey(tx: Tx, passkey: Own) {
  const [deleted] = await tx.delete(passkeys).where(own(passkey)).returning()
  return deleted ?? null
}

export function deleteMadeSince(tx: Tx, { userId, since }: { userId: string; since: Date }) {
  const made = and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since))
  return tx.delete(passkeys).where(made).returning()
}

/**
 * Records that a passkey has signed, and returns it as it is by then. Null for the second of two
 * assertions with one counter, and for a passkey that was removed meanwhile. One that is synced
 * between devices always reports zero.
 */
export async function noteAssertion(
  tx: Tx,
  { passkeyId, counter, backedUp, now }: Assertion & { passkeyId: string; now: Date },
) {
  const follows = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const [noted] = await tx
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: now })
    .where(and(eq(passkeys.passkeyId, passkeyId), follows))
    .returning()
  return noted ?? null
}

interface Assertion {
  counter: number
  backedUp: boolean
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

export function exportPasskeys(db: Db, userId: string) {
  return db
    .select({
      passkeyId: passkeys.passkeyId,
      credentialId: passkeys.credentialId,
      deviceType: passkeys.deviceType,
      backedUp: passkeys.backedUp,
      transports: passkeys.transports,
      aaguid: passkeys.aaguid,
      label: passkeys.label,
      secondFactor: passkeys.secondFactor,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
    })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt), passkeys.passkeyId)
    .limit(mostExported)
}

/** Deletes the challenges that have expired. */
export async function forgetChallenges(db: Db, now: Date) {
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
}

/** For an account that is purged. */
export async function forgetPasskeysOf(tx: Tx, userId: string) {
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.userId, userId))
  await tx.delete(passkeys).where(eq(passkeys.userId, userId))
}

/** Deletes every challenge. Returns how many there were. */
export async function forgetEveryChallenge(db: Db) {
  const { rowCount } = await db.delete(passkeyChallenges)
  return rowCount ?? 0
}
