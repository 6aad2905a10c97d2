import { type Db, ServiceUnavailableError } from '@svc/core'
import { and, eq, lte, sql } from 'drizzle-orm'
import type { Needs } from '../auth.ts'
import { spent } from './schema.ts'

/**
 * An instance whose clock is behind accepts a token for longer, and one whose clock is ahead forgets it earlier. An
 * instance that is off by more than half a minute is not ready; this margin is for requests that it handles anyway.
 */
const keptLongerMillis = 15 * 60_000

/**
 * True for the first caller only. In a transaction, a second caller waits for its outcome: what is
 * rolled back was not spent. The id is stored for a quarter of an hour longer than it is accepted.
 */
export async function spendOnce(db: Db, id: string, expiresAt: Date) {
  const until = new Date(expiresAt.getTime() + keptLongerMillis)
  const rows = await db
    .insert(spent)
    .values({ id, until })
    .onConflictDoNothing()
    .returning({ id: spent.id })
  return rows.length === 1
}

/** Whether the id was spent before. Use it for what is shown, never for a decision. */
export async function isSpent(db: Db, id: string) {
  return (await db.$count(spent, eq(spent.id, id))) > 0
}

/** Deletes what has expired by both clocks: an instance that is far ahead must not delete ids for all instances. */
export async function forgetSpent(db: Db, now: Date) {
  const earlier = sql<Date>`least(${now.toISOString()}::timestamptz, clock_timestamp())`
  await db.delete(spent).where(lte(spent.until, earlier))
}

/** Something that a client has signed, and that is accepted only once over all instances. */
interface SignedId {
  readonly id: string
  /** The signing time according to the client: up to half a minute ahead of the server's time. */
  readonly issuedAt: Date
  /** When it is no longer accepted. */
  readonly expiresAt: Date
}

/** How far apart the clocks of two hosts of a cache may be when one takes over from the other. */
const hostsApartMillis = 1_000

/**
 * True for the caller who presents the id first. While the spent ids can't be reached it throws a 503, because the
 * server can't know whether the caller is the first.
 *
 * A cache may lose its contents. An id that was signed before the cache was born, by the cache's clock, may have been
 * spent before. So it is refused with 503 and `Retry-After: 0`, and the client signs again. A client whose clock is
 * ahead can sign an id *now* that looks younger than a later birth. Such an id is also stored in the database. An id
 * that was signed in the first quarter of an hour of a cache's life may be such an id, so the database is asked too.
 */
export async function spendId(
  { cache, clock, db }: Needs<'cache' | 'clock' | 'db'>,
  { id, issuedAt, expiresAt }: SignedId,
) {
  if (!cache.shared) return spendOnce(db, id, expiresAt)
  const issued = issuedAt.getTime()
  const { outcome, bornAtMillis, nowMillis } = await cache.spend(cacheKeyOf(id), {
    // With a test's clock, the birth of the cache means nothing.
    sinceMillis: clock.isVirtual ? Number.MAX_SAFE_INTEGER : issued - hostsApartMillis,
    ttlMillis: expiresAt.getTime() + keptLongerMillis - clock.now().getTime(),
  })
  if (outcome === 'unknown') throw signAgain()
  if (outcome === 'again') return false
  const isAhead = issued > nowMillis
  const mayHaveBeenAhead = issued < bornAtMillis + keptLongerMillis
  const isDoubted = !clock.isVirtual && (isAhead || mayHaveBeenAhead)
  return isDoubted ? spendOnce(db, id, expiresAt) : true
}

export const cacheKeyOf = (id: string) => `svc:auth:${id}`

/** Not a refusal: the key is valid, and the same request is accepted when it is signed again. */
function signAgain() {
  return new ServiceUnavailableError({
    message: 'The server cannot say whether this was sent before. Sign it again.',
    retryAfter: 0,
  })
}

/** The right to do something alone, over all instances, for a while. */
interface Lease {
  readonly id: string
  /** From then on another caller may take it, because the one that took it may have crashed. */
  readonly until: Date
}

/** True for the one caller who has it now. It holds no connection, however long its work takes. */
export async function takeLease(db: Db, { id, until }: Lease, now: Date) {
  const taken = await db
    .insert(spent)
    .values({ id, until })
    .onConflictDoUpdate({ target: spent.id, set: { until }, setWhere: lte(spent.until, now) })
    .returning({ id: spent.id })
  return taken.length === 1
}

export async function giveBackLease(db: Db, { id, until }: Lease) {
  await db.delete(spent).where(and(eq(spent.id, id), eq(spent.until, until)))
}
