import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { and, asc, desc, eq, lte, ne } from 'drizzle-orm'
import { mostExported } from '../accounts/accounts.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import { factorRemovals } from './schema.ts'

// A move is one UPDATE guarded by state and time: of an owner who keeps it and the job that is due, one gets the row.

const isWaiting = eq(factorRemovals.state, 'waiting')
const named = (removalId: string) => eq(factorRemovals.removalId, removalId)

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
    .set({ stopHash })
    .where(and(named(removalId), isWaiting))
    .returning({ removalId: factorRemovals.removalId })
  return issued.length === 1
}

/** waiting → stopped, also where it is due and the job has not come yet. Null when it is over. */
export async function stopRemoval(tx: Tx, { stopHash, now }: { stopHash: TokenHash; now: Date }) {
  const [stopped] = await tx
    .update(factorRemovals)
    .set({ state: 'stopped', stopHash: null, endedAt: now })
    .where(and(eq(factorRemovals.stopHash, stopHash), isWaiting))
    .returning()
  return stopped ?? null
}

/** waiting → done, once it is due. Null when its owner was faster. */
export async function takeDue(tx: Tx, removalId: string, now: Date) {
  const [due] = await tx
    .update(factorRemovals)
    .set({ state: 'done', stopHash: null, endedAt: now })
    .where(and(named(removalId), isWaiting, lte(factorRemovals.dueAt, now)))
    .returning()
  return due ?? null
}

/** done → void, in the transaction that has found nothing to remove. */
export async function voidRemoval(tx: Tx, removalId: string) {
  await tx.update(factorRemovals).set({ state: 'void' }).where(named(removalId))
}

export function listDue(db: Db, { now, limit }: { now: Date; limit: number }) {
  const { removalId, userId, dueAt } = factorRemovals
  return db
    .select({ removalId, userId })
    .from(factorRemovals)
    .where(and(isWaiting, lte(dueAt, now)))
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

/** For an account that goes. */
export async function forgetRemovalsOf(tx: Tx, userId: string) {
  await tx.delete(factorRemovals).where(eq(factorRemovals.userId, userId))
}
