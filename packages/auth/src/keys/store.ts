import type { Db, Tx } from '@svc/core'
import { and, asc, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { KeyLife } from '../capability/capability.ts'
import { deviceKeys, type KeyKind, type KeyState } from './schema.ts'

export type KeyRow = typeof deviceKeys.$inferSelect
type NewKey = typeof deviceKeys.$inferInsert

const isLive = inArray(deviceKeys.state, ['active', 'pending'])

/** Until this transaction ends, no other one registers the same public key. */
export async function lockFingerprint(tx: Tx, fingerprint: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${fingerprint}, 0))`)
}

interface Place {
  fingerprint: string
  userId: string
  kind: KeyKind
}

/** Whether a public key is live under another account, or under this one as another kind of key. */
export async function isLiveElsewhere(tx: Tx, { fingerprint, userId, kind }: Place) {
  const isElsewhere = or(ne(deviceKeys.userId, userId), ne(deviceKeys.kind, kind))
  const others = and(eq(deviceKeys.fingerprint, fingerprint), isElsewhere, isLive)
  return (await tx.$count(deviceKeys, others)) > 0
}

/** Null if the id is taken, by any key in any state. */
export async function insertKey(tx: Tx, key: NewKey) {
  const [inserted] = await tx.insert(deviceKeys).values(key).onConflictDoNothing().returning()
  return inserted ?? null
}

interface Same {
  keyId: string
  publicKey: string
  userId: string
}

const same = ({ keyId, publicKey, userId }: Same) =>
  and(
    eq(deviceKeys.keyId, keyId),
    eq(deviceKeys.userId, userId),
    eq(deviceKeys.publicKey, publicKey),
  )

/** The very same key, if it waits for a second factor: what was sent last signs it in. */
export async function takePending(
  tx: Tx,
  { signedInAt, signedInBy, ...key }: Same & Pick<KeyLife, 'signedInAt' | 'signedInBy'>,
) {
  const [pending] = await tx
    .update(deviceKeys)
    .set({ signedInAt, signedInBy })
    .where(and(same(key), eq(deviceKeys.state, 'pending')))
    .returning({ expiresAt: deviceKeys.expiresAt, knownId: deviceKeys.knownId })
  return pending ?? null
}

interface Extension extends Omit<KeyLife, 'binding'> {
  knownId: string | null
  now: Date
}

/**
 * Returns the very same key if it is still active. An expired one gets a new life, and counts from
 * then on as let in by the key that did this. A bound one keeps its window: only a renewal moves
 * that. Nothing moves the end of a machine's.
 */
export async function extendActive(
  tx: Tx,
  { now, expiresAt, authenticatedAt, madeByKeyId, knownId, ...life }: Same & Extension,
) {
  const { signedInAt = null, signedInBy = null, unusedSeconds = null, ...key } = life
  const isLater = sql`${signedInAt}::timestamptz >= coalesce(${deviceKeys.signedInAt}, '-infinity')`
  const isFree = sql`${deviceKeys.binding} is null and ${deviceKeys.kind} = 'device'`
  const isOver = sql`${deviceKeys.expiresAt} <= ${now} and ${isFree}`
  const [live] = await tx
    .update(deviceKeys)
    .set({
      expiresAt: sql`case when ${isOver} then ${expiresAt} else ${deviceKeys.expiresAt} end`,
      authenticatedAt: sql`greatest(${deviceKeys.authenticatedAt}, ${authenticatedAt})`,
      madeByKeyId: sql`case when ${isOver} then ${madeByKeyId} else ${deviceKeys.madeByKeyId} end`,
      knownId: sql`coalesce(${deviceKeys.knownId}, ${knownId})`,
      signedInAt: sql`case when ${isLater} then ${signedInAt}::timestamptz else ${deviceKeys.signedInAt} end`,
      signedInBy: sql`case when ${isLater} then ${signedInBy}::text else ${deviceKeys.signedInBy} end`,
      unusedSeconds: sql`case when ${isLater} then ${unusedSeconds}::integer else ${deviceKeys.unusedSeconds} end`,
    })
    .where(and(same(key), eq(deviceKeys.state, 'active')))
    .returning({ expiresAt: deviceKeys.expiresAt, knownId: deviceKeys.knownId })
  return live ?? null
}

/** A key of an account in one state: the guard of a transition that leaves it. */
export const inState = ({ keyId, userId }: { keyId: string; userId: string }, state: KeyState) =>
  and(eq(deviceKeys.keyId, keyId), eq(deviceKeys.userId, userId), eq(deviceKeys.state, state))

/** pending → active: the second factor was proved, on this device and now. */
export async function activatePending(
  tx: Tx,
  { now, knownId, ...key }: { keyId: string; userId: string; knownId: string | null; now: Date },
) {
  const [activated] = await tx
    .update(deviceKeys)
    .set({
      state: 'active',
      authenticatedAt: now,
      signedInAt: now,
      secondFactorProvedAt: now,
      knownId,
    })
    .where(inState(key, 'pending'))
    .returning()
  return activated ?? null
}

/**
 * active → revoked. Returns the key as it was, or null if it was not active, or not this account's.
 */
export async function revokeActive(
  tx: Tx,
  { reason, now, ...key }: { keyId: string; userId: string; reason: string; now: Date },
) {
  const [revoked] = await tx
    .update(deviceKeys)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(inState(key, 'active'))
    .returning()
  return revoked ?? null
}

/**
 * A live key of the account. While the account is locked, the key stays live until the transaction
 * ends.
 */
export async function findActive(tx: Tx, key: { keyId: string; userId: string }) {
  const [active] = await tx.select().from(deviceKeys).where(inState(key, 'active'))
  return active ?? null
}

/** How a key has signed in, and when it was used. It is known of a key that has ended, too. */
export async function findSignIn(db: Db, keyId: string) {
  const { userId, kind, authenticatedAt, signedInAt, signedInBy } = deviceKeys
  const { unusedSeconds, lastUsedAt, createdAt } = deviceKeys
  const signIn = { userId, kind, authenticatedAt, signedInAt, signedInBy }
  const [found] = await db
    .select({ ...signIn, unusedSeconds, lastUsedAt, createdAt })
    .from(deviceKeys)
    .where(eq(deviceKeys.keyId, keyId))
  return found ?? null
}

/** Whether a key was revoked, and for this reason. */
export async function hasEndedFor(tx: Tx, key: { keyId: string; userId: string }, reason: string) {
  const ended = and(inState(key, 'revoked'), eq(deviceKeys.revokedReason, reason))
  return (await tx.$count(deviceKeys, ended)) > 0
}

interface Surplus {
  userId: string
  /** The key that stays, in addition to the `keep` others. */
  keyId: string
  keep: number
  reason: string
  now: Date
}

/** active → revoked, for devices of an account above the limit: first expired ones, then the least recently used. */
export async function revokeSurplus(tx: Tx, { userId, keyId, keep, reason, now }: Surplus) {
  const others = and(
    eq(deviceKeys.userId, userId),
    eq(deviceKeys.state, 'active'),
    eq(deviceKeys.kind, 'device'),
    ne(deviceKeys.keyId, keyId),
  )
  const lastSeenAt = sql`coalesce(${deviceKeys.lastUsedAt}, ${deviceKeys.createdAt})`
  const surplus = tx
    .select({ keyId: deviceKeys.keyId })
    .from(deviceKeys)
    .where(others)
    .orderBy(desc(sql`${deviceKeys.expiresAt} > ${now}`), desc(lastSeenAt), deviceKeys.keyId)
    .offset(keep)
  const revoked = await tx
    .update(deviceKeys)
    .set({ state: 'revoked', revokedAt: now, revokedReason: reason })
    .where(inArray(deviceKeys.keyId, surplus))
    .returning({ keyId: deviceKeys.keyId })
  return revoked.map((each) => each.keyId)
}

/** Whether the account has the key, in one of these states. */
export async function isOwned(
  db: Db,
  { keyId, userId, states }: { keyId: string; userId: string; states: KeyState[] },
) {
  const own = and(
    eq(deviceKeys.keyId, keyId),
    eq(deviceKeys.userId, userId),
    inArray(deviceKeys.state, states),
  )
  return (await db.$count(deviceKeys, own)) > 0
}

// The keys of an account are never deleted. A list of them must not grow without bound.
const mostListed = 1000

export function listOf(db: Db, userId: string, { includeRevoked }: { includeRevoked: boolean }) {
  const states: ('active' | 'revoked')[] = includeRevoked ? ['active', 'revoked'] : ['active']
  return db
    .select()
    .from(deviceKeys)
    .where(and(eq(deviceKeys.userId, userId), inArray(deviceKeys.state, states)))
    .orderBy(asc(deviceKeys.state), desc(deviceKeys.createdAt), deviceKeys.keyId)
    .limit(mostListed)
}

/** Public keys in any state: a purge leaves none. */
export async function findPublicKeys(db: Db, keyIds: readonly string[]) {
  if (keyIds.length === 0) return new Map()
  const rows = await db
    .select({
      keyId: deviceKeys.keyId,
      // Longer than any that is taken, what an attacker has put in its place is cut.
      publicKey: sql<string>`left(${deviceKeys.publicKey}, 2049)`,
      algorithm: deviceKeys.algorithm,
    })
    .from(deviceKeys)
    .where(and(inArray(deviceKeys.keyId, [...keyIds]), ne(deviceKeys.publicKey, '')))
  return new Map(rows.map((row) => [row.keyId, row]))
}
