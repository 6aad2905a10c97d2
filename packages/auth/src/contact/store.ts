import { randomUUID } from 'node:crypto'
import type { Db, Tx } from '@svc/core'
import { type AnyColumn, and, desc, eq, gt, gte, lte, type SQL, sql } from 'drizzle-orm'
import { type ContactKind, hasStatus, mostExported } from '../accounts/accounts.ts'
import type { TokenHash } from '../crypto/crypto.ts'
import { contactChanges } from './schema.ts'

// A transition is one UPDATE guarded by the state it leaves: of concurrent callers, only one gets
// the row.

export const undoHours = 72
export const undoMillis = undoHours * 3_600_000

interface NewChange {
  userId: string
  kind: ContactKind
  oldValue: string
  oldVerifiedAt: Date
  newValue: string
  now: Date
}

export async function recordChange(tx: Tx, { now, ...change }: NewChange) {
  const changeId = randomUUID()
  const expiresAt = new Date(now.getTime() + undoMillis)
  const createdAt = afterEveryOther(change, now)
  await tx
    .insert(contactChanges)
    .values({ ...change, changeId, state: 'done', createdAt, expiresAt })
  return changeId
}

/**
 * Undoing a change ends those after it, so their order must not depend on the clocks of two
 * instances.
 */
const afterEveryOther = ({ userId, kind }: Pick<NewChange, 'userId' | 'kind'>, now: Date) => sql`
  greatest(${now.toISOString()}::timestamptz, (
    select max(created_at) + interval '1 millisecond' from ${contactChanges}
    where user_id = ${userId} and kind = ${kind}))`

const live = (now: Date) => and(eq(contactChanges.state, 'done'), gt(contactChanges.expiresAt, now))

/** Changes nothing. Null if the change can't be undone any more. */
export async function findLive(db: Db, changeId: string, now: Date) {
  const [change] = await db
    .select()
    .from(contactChanges)
    .where(and(eq(contactChanges.changeId, changeId), live(now)))
  return change ?? null
}

/** The changes of an account that can be undone. */
export function findUndoableOf(db: Db, userId: string, now: Date) {
  const { changeId, kind, oldValue, createdAt, expiresAt } = contactChanges
  return db
    .select({ changeId, kind, oldValue, createdAt, expiresAt })
    .from(contactChanges)
    .where(and(eq(contactChanges.userId, userId), live(now)))
    .orderBy(createdAt)
}

/**
 * Whether an address or number of an account was changed after that moment, even if the change was
 * undone.
 */
export async function wasChangedSince(db: Db, userId: string, since: Date) {
  const later = and(eq(contactChanges.userId, userId), gt(contactChanges.createdAt, since))
  return (await db.$count(contactChanges, later)) > 0
}

/** The same for the account of a row, at a moment of that row or after it. */
export function isChangedSince(userId: AnyColumn, since: AnyColumn) {
  return sql`exists (select from ${contactChanges} where ${contactChanges.userId} = ${userId}
    and ${contactChanges.createdAt} >= ${since})`
}

/**
 * False if it is too late. A second attempt to send it replaces a token that may never have
 * arrived.
 */
export async function issueUndo(
  db: Db,
  changeId: string,
  { undoHash, now }: { undoHash: TokenHash; now: Date },
) {
  const issued = await db
    .update(contactChanges)
    .set({ undoHash })
    .where(and(eq(contactChanges.changeId, changeId), live(now)))
    .returning({ changeId: contactChanges.changeId })
  return issued.length === 1
}

interface Presented {
  undoHash: TokenHash
  now: Date
}

/**
 * Not bound to a generation: an attacker who took the account over would end the link by changing
 * the password. An account whose deletion is pending may use it, because the attacker may have
 * asked for that. A suspended account stays as its administrator left it.
 */
const undoable = ({ undoHash, now }: Presented) =>
  and(
    eq(contactChanges.undoHash, undoHash),
    live(now),
    hasStatus(contactChanges.userId, ['active', 'pending_deletion']),
  )

/** Changes nothing. */
export async function findUndoable(db: Db, presented: Presented) {
  const [change] = await db.select().from(contactChanges).where(undoable(presented))
  return change ?? null
}

/** done → undone. */
export async function undoChange(tx: Tx, presented: Presented) {
  const [undone] = await tx
    .update(contactChanges)
    .set({ state: 'undone', endedAt: presented.now })
    .where(undoable(presented))
    .returning()
  return undone ?? null
}

type Change = typeof contactChanges.$inferSelect

/**
 * done → superseded, for later changes: the link of one of them would lead back to an address that
 * was never right.
 */
export function supersedeNewer(tx: Tx, { userId, kind, createdAt }: Change, now: Date) {
  return supersede(tx, { userId, kind, now }, gt(contactChanges.createdAt, createdAt))
}

interface Superseded {
  userId: string
  kind: ContactKind
  now: Date
}

/**
 * done → superseded, for changes whose undoing would restore a contact that was proved at that
 * moment or later.
 */
export function supersedeProvedSince(tx: Tx, { since, ...of }: Superseded & { since: Date }) {
  return supersede(tx, of, gte(contactChanges.oldVerifiedAt, since))
}

async function supersede(tx: Tx, { userId, kind, now }: Superseded, which: SQL) {
  await tx
    .update(contactChanges)
    .set({ state: 'superseded', endedAt: now })
    .where(
      and(
        eq(contactChanges.userId, userId),
        eq(contactChanges.kind, kind),
        eq(contactChanges.state, 'done'),
        which,
      ),
    )
}

// Columns are named one by one: a secret that the table gets later is not exported by itself.

export function exportContactChanges(db: Db, userId: string) {
  return db
    .select({
      kind: contactChanges.kind,
      state: contactChanges.state,
      oldValue: contactChanges.oldValue,
      newValue: contactChanges.newValue,
      createdAt: contactChanges.createdAt,
      endedAt: contactChanges.endedAt,
    })
    .from(contactChanges)
    .where(eq(contactChanges.userId, userId))
    .orderBy(desc(contactChanges.createdAt))
    .limit(mostExported)
}

const dayMillis = 86_400_000

/**
 * Deletes changes a day after they could last be undone, so that a complaint can be looked into.
 */
export async function forgetContactChanges(db: Db, now: Date) {
  const old = new Date(now.getTime() - dayMillis)
  await db.delete(contactChanges).where(lte(contactChanges.expiresAt, old))
}

/** For an account that is purged: its changes contain its addresses and numbers, older ones too. */
export async function forgetContactChangesOf(tx: Tx, userId: string) {
  await tx.delete(contactChanges).where(eq(contactChanges.userId, userId))
}
