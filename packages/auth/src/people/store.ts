import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, asc, desc, eq, isNotNull, lte, ne, or } from 'drizzle-orm'
import { mostExported } from '../accounts/accounts.ts'
import { isChangedSince } from '../contact/contact.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import { isFactorProvedSince } from '../keys/keys.ts'
import { factorRemovals } from './schema.ts'

// A move is one UPDATE guarded by state and time: of an owner who keeps it and the job that is due, one gets the row.

const isWaiting = eq(factorRemovals.state, 'waiting')
const named = (removalId: string) => eq(factorRemovals.removalId, removalId)
// An owner who was never told could not have kept it.
const isDue = (now: Date) =>
  and(isWaiting, isNotNull(factorRemovals.mailedAt), lte(factorRemovals.dueAt, now))

type NewRemoval = Omit<typeof factorRemovals.$inferInsert, 'removalId' | 'state'>

/** Null when one waits already. */
export async function insertRemoval(tx: Tx, removal: NewRemoval) {
  const [inserted] = await tx
    .insert(factorRemovals)
    .values({ ...removal, removalId: randomUUID(), state: 'waiting' })
    .onConflictDoNothing()
    .returning()
  return inserted ?? null
}

export async function findWaiting(db: Db, removalId: string) {
  const [found] = await db
    .select()
    .from(factorRemovals)
    .where(and(named(removalId), isWaiting))
  return found ?? null
}

/** The one that waits for an account. */
export async function findWaitingOf(db: Db, userId: string) {
  const [found] = await db
    .select()
    .from(factorRemovals)
    .where(and(eq(factorRemovals.userId, userId), isWaiting))
  return found ?? null
}

/** A second try to mail it replaces a token that may never have arrived. False when it is over. */
export async function issueStop(db: Db, removalId: string, stopHash: TokenHash) {
  const issued = await db
    .update(factorRemovals)
    // The mail before has a dead link from now on: it counts no more.
    .set({ stopHash, mailedAt: null })
    .where(and(named(removalId), isWaiting))
    .returning({ removalId: factorRemovals.removalId })
  return issued.length === 1
}

interface Mailed {
  stopHash: TokenHash
  mailedAt: Date
  dueAt: Date
}

/** The mail with this token was handed over: its owner has the time that it tells. */
export async function noteMailed(db: Db, { stopHash, ...times }: Mailed) {
  await db
    .update(factorRemovals)
    .set(times)
    .where(and(eq(factorRemovals.stopHash, stopHash), isWaiting))
}

/** By the token in the mail, or by the account. */
type ToStop = { stopHash: TokenHash; now: Date } | { userId: string; now: Date }

/** waiting → stopped, also where it is due and the job has not come yet. Null when it is over. */
export async function stopRemoval(tx: Tx, { now, ...which }: ToStop) {
  const isMeant =
    'stopHash' in which
      ? eq(factorRemovals.stopHash, which.stopHash)
      : eq(factorRemovals.userId, which.userId)
  const [stopped] = await tx
    .update(factorRemovals)
    .set({ state: 'stopped', stopHash: null, endedAt: now })
    .where(and(isMeant, isWaiting))
    .returning()
  return stopped ?? null
}

/** waiting → done, once it is due. Null when its owner was faster. */
export async function takeDue(tx: Tx, removalId: string, now: Date) {
  const [due] = await tx
    .update(factorRemovals)
    .set({ state: 'done', stopHash: null, endedAt: now })
    .where(and(named(removalId), isDue(now)))
    .returning()
  return due ?? null
}

/** done → void, in the transaction that has found it must not be done. */
export async function voidRemoval(tx: Tx, removalId: string) {
  await tx.update(factorRemovals).set({ state: 'void' }).where(named(removalId))
}

interface Outdated {
  now: Date
  /** All that wait unless set. */
  removalId?: string
}

/**
 * waiting → void, where an address or number was changed or a second factor was proved since: whoever proves one has not
 * lost it, and may have set up another beside it. Not only once it is due, because both are forgotten sooner.
 */
export async function voidOutdated(db: Db, { now, removalId }: Outdated) {
  const { userId, createdAt } = factorRemovals
  const isOutdated = or(isChangedSince(userId, createdAt), isFactorProvedSince(userId, createdAt))
  await db
    .update(factorRemovals)
    .set({ state: 'void', stopHash: null, endedAt: now })
    .where(and(isWaiting, isOutdated, removalId === undefined ? undefined : named(removalId)))
}

export function listDue(db: Db, { now, limit }: { now: Date; limit: number }) {
  const { removalId, userId, askedBy, dueAt } = factorRemovals
  return db
    .select({ removalId, userId, askedBy })
    .from(factorRemovals)
    .where(isDue(now))
    .orderBy(asc(dueAt), removalId)
    .limit(limit)
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

export function exportRemovals(db: Db, userId: string) {
  const { passkeyId, state, createdAt, dueAt, endedAt } = factorRemovals
  return db
    .select({ passkeyId, state, createdAt, dueAt, endedAt })
    .from(factorRemovals)
    .where(eq(factorRemovals.userId, userId))
    .orderBy(desc(createdAt))
    .limit(mostExported)
}

const keptMillis = 30 * 86_400_000

/** Forgets them a month after they were due, so that a complaint can be looked into. */
export async function forgetRemovals(db: Db, now: Date) {
  const old = lte(factorRemovals.dueAt, new Date(now.getTime() - keptMillis))
  await db.delete(factorRemovals).where(and(ne(factorRemovals.state, 'waiting'), old))
}

/** For an account that goes. What waits because it asked would look as if an application's code had asked. */
export async function forgetRemovalsOf(tx: Tx, userId: string) {
  const asked = and(eq(factorRemovals.askedBy, userId), isWaiting)
  await tx.delete(factorRemovals).where(or(eq(factorRemovals.userId, userId), asked))
}
