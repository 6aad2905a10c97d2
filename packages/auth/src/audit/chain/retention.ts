import type { Db, Log, Tx } from '@svc/core'
import { and, asc, eq, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import { inTransaction } from '../../in-transaction.ts'
import { auditEvents, auditSeals, auditStatements } from '../schema.ts'
import { sealDigest } from './digests.ts'
import { covers, type RetentionRule, ruleFor } from './retention-rules.ts'
import { endOfChain, lockChain } from './seal-rows.ts'
import { isStill, type KnownHead, lastSigned, logChanged } from './sign-head.ts'
import { type SignedHeads, signedHeads } from './signed-heads.ts'
import {
  beginOf,
  keepStatement,
  lastStatement,
  type Place,
  readStatement,
  signStatement,
  type TrailKey,
} from './statements.ts'
import { sealColumns } from './written-rows.ts'

interface Given {
  readonly db: Db
  readonly log: Log
  readonly key: TrailKey
  readonly known: KnownHead
  readonly rules: readonly RetentionRule[]
  readonly now: Date
  readonly signal: AbortSignal
}

// Each batch is a transaction of a second at most, so that nothing waits for a year's worth of rows.
const batchSize = 10_000

/** Deletes what is past, says so first, and lets go of seals at the beginning that no row needs. */
export async function retain(given: Given) {
  const { db, key, rules, now, signal } = given
  const past = (await actsIn(db)).map((act) => pastOf(act, rules))
  if (!(await hasPast(db, past))) return
  await signCut(db, { key, rules, now })
  for (const each of past) {
    while (!signal.aborted && (await forgetBatch(db, each)) === batchSize);
  }
  if (!signal.aborted) await letGoOfSeals(given)
}

/** Jumps along the index from act to act: there are some dozens, in millions of rows. */
async function actsIn(db: Db) {
  const next = sql`select act from ${auditEvents} where act > acts.act order by act limit 1`
  const { rows } = await db.execute<{ act: string }>(sql`
    with recursive acts as (
      (select act from ${auditEvents} order by act limit 1)
      union all
      select (${next}) from acts where acts.act is not null
    )
    select act from acts where act is not null`)
  return rows.map(({ act }) => act)
}

interface Past {
  readonly act: string
  readonly before: Date
}

function pastOf(act: string, rules: readonly RetentionRule[]): Past {
  const rule = ruleFor(rules, act)
  if (!rule) throw new Error('One rule is for all acts.')
  return { act, before: new Date(rule.before) }
}

async function hasPast(db: Db, past: readonly Past[]) {
  const acts = sql.param(past.map(({ act }) => act))
  const befores = sql.param(past.map(({ before }) => before))
  const { rows } = await db.execute(sql`
    select from unnest(${acts}::text[], ${befores}::timestamptz[]) as past (act, before)
    where exists (select from ${auditEvents} row where row.act = past.act and row.at < past.before)
    limit 1`)
  return rows.length > 0
}

/** From then on, a check doesn't report rows that these rules delete. */
async function signCut(db: Db, { key, rules, now }: Pick<Given, 'key' | 'rules' | 'now'>) {
  const earlier = await lastStatement(db, 'cut')
  const cut = earlier && readStatement(earlier, [key.publicKey])
  const statement = { kind: 'cut', at: now.toISOString(), rules } as const
  await keepStatement(db, statement, signStatement(statement, key))
  if (earlier && typeof cut === 'object' && cut?.kind === 'cut' && covers(rules, cut.rules)) {
    await db.delete(auditStatements).where(eq(auditStatements.signed, earlier))
  }
}

async function forgetBatch(db: Db, { act, before }: Past) {
  const oldest = db
    .select({ auditId: auditEvents.auditId })
    .from(auditEvents)
    .where(and(eq(auditEvents.act, act), lt(auditEvents.at, before)))
    .orderBy(asc(auditEvents.at))
    .limit(batchSize)
  const { rowCount } = await db.delete(auditEvents).where(inArray(auditEvents.auditId, oldest))
  return rowCount
}

async function letGoOfSeals({ db, log, key, known, rules, now, signal }: Given) {
  const heads = await signedHeads(db, key)
  let gone: number | null = batchSize
  while (!signal.aborted && gone === batchSize) {
    gone = await inTransaction(db, (tx) => letGo(tx, { log, key, known, rules, now, heads }))
  }
  if (!signal.aborted && gone !== null) await forgetHeads(db, rules)
}

/** Gives up the old ones, and keeps the last. */
async function forgetHeads(db: Db, rules: readonly RetentionRule[]) {
  const oldestRule = rules.find(({ acts }) => acts === '')
  const newest = await lastStatement(db, 'head')
  if (!oldestRule || !newest) return
  const { kind, at, signed } = auditStatements
  const isOld = lt(at, new Date(oldestRule.before))
  await db.delete(auditStatements).where(and(eq(kind, 'head'), isOld, ne(signed, newest)))
}

type OfChain = Pick<Given, 'log' | 'key' | 'known' | 'rules' | 'now'> & {
  readonly heads: SignedHeads
}

/**
 * Seals without rows go as far as retention explains each of them, and the chain is whole and the one that was signed:
 * otherwise a row that an attacker has deleted would be forgotten with a signature. Answers how many went, and null
 * where none may.
 */
async function letGo(tx: Tx, { log, key, known, rules, now, heads }: OfChain) {
  if (!(await lockChain(tx))) return null
  const begin = await beginOf(tx, key)
  if (!begin) return 0
  const head = await lastSigned(tx, key, known)
  const { position: last } = await endOfChain(tx)
  const isSigned = !head || (await isStill(tx, key, head))
  const past = isSigned
    ? await endOfPast(tx, { rules, last, begin, heads })
    : { changed: head.position }
  if ('changed' in past) {
    logChanged(log, past.changed)
    return null
  }
  if (past.position > begin.position) {
    const befores = [...rules.map(({ before }) => before), begin.before ?? '']
    await signBegin(tx, { key, now, end: past, before: befores.toSorted().at(-1) ?? '' })
  }
  return past.position - begin.position
}

const stepSize = 1000

interface OfWalk {
  readonly rules: readonly RetentionRule[]
  readonly last: number
  readonly begin: Place
  readonly heads: SignedHeads
}

/** Or where the chain is not the one of a head. */
async function endOfPast(
  tx: Tx,
  { rules, last, begin, heads }: OfWalk,
): Promise<Place | { changed: number }> {
  let end: Place = begin
  while (end.position - begin.position < batchSize) {
    const seals = await sealsAfter(tx, end.position)
    for (const seal of seals) {
      const { rowId, position, digest, previous } = seal
      const rule = ruleFor(rules, seal.act)
      const isGone = rowId === null && rule && Number(seal.at) * 1000 < Date.parse(rule.before)
      const isNext = position === end.position + 1 && previous === end.digest
      const isWhole = isNext && sealDigest(seal) === digest
      // The last one stays: the next begins where it ends.
      if (!isGone || !isWhole || position === last) return end
      if (!heads.areOf(seal)) return { changed: position }
      end = { position, digest }
    }
    if (seals.length < stepSize) return end
  }
  return end
}

function sealsAfter(tx: Tx, position: number) {
  return tx
    .select({ ...sealColumns, rowId: auditEvents.auditId })
    .from(auditSeals)
    .leftJoin(auditEvents, eq(auditEvents.auditId, auditSeals.auditId))
    .where(gt(auditSeals.position, position))
    .orderBy(asc(auditSeals.position))
    .limit(stepSize)
}

type OfBegin = Pick<Given, 'key' | 'now'> & { readonly end: Place; readonly before: string }

async function signBegin(tx: Tx, { key, now, end, before }: OfBegin) {
  await tx.delete(auditStatements).where(eq(auditStatements.kind, 'begin'))
  const statement = { kind: 'begin', at: now.toISOString(), before, ...end } as const
  await keepStatement(tx, statement, signStatement(statement, key))
  await tx.delete(auditSeals).where(lte(auditSeals.position, end.position))
}
