import type { Db, Tx } from '@svc/core'
import { and, asc, eq, gt, inArray, lt, lte, ne, sql } from 'drizzle-orm'
import { inTransaction } from '../../in-transaction.ts'
import { auditEvents, auditSeals, auditStatements } from '../schema.ts'
import { sealColumns, sealDigest } from './digests.ts'
import { covers, type RetentionRule, ruleFor } from './retention-rules.ts'
import { endOfChain, lockChain } from './seal-rows.ts'
import {
  beginOf,
  keepStatement,
  lastStatement,
  type Place,
  readStatement,
  signStatement,
  type TrailKey,
} from './statements.ts'

interface Given {
  readonly db: Db
  readonly key: TrailKey
  readonly rules: readonly RetentionRule[]
  readonly now: Date
  readonly signal: AbortSignal
}

// Each batch is a transaction of a second at most, so that nothing waits for a year's worth of rows.
const batchSize = 10_000

/** Deletes what is past, says so first, and lets go of seals at the beginning that no row needs. */
export async function retain({ db, key, rules, now, signal }: Given) {
  const past = (await actsIn(db)).map((act) => pastOf(act, rules))
  if (!(await hasPast(db, past))) return
  await signCut(db, { key, rules, now })
  for (const each of past) {
    while (!signal.aborted && (await forgetBatch(db, each)) === batchSize);
  }
  if (!signal.aborted) await inTransaction(db, (tx) => letGo(tx, { key, rules, now }))
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

/**
 * Seals without rows go as far as retention explains each of them and the chain is whole: otherwise a row that an
 * attacker has deleted would be forgotten with a signature.
 */
async function letGo(tx: Tx, { key, rules, now }: Pick<Given, 'key' | 'rules' | 'now'>) {
  if (!(await lockChain(tx))) return
  const { position: last } = await endOfChain(tx)
  const begin = await beginOf(tx, key)
  const end = begin && (await endOfPast(tx, { rules, last, begin }))
  if (end && end.position > begin.position) await signBegin(tx, { key, now, end })
  const oldestRule = rules.find(({ acts }) => acts === '')
  const newest = await lastStatement(tx, 'head')
  if (!oldestRule || !newest) return
  const { kind, at, signed } = auditStatements
  const isOld = lt(at, new Date(oldestRule.before))
  await tx.delete(auditStatements).where(and(eq(kind, 'head'), isOld, ne(signed, newest)))
}

const stepSize = 1000

async function endOfPast(
  tx: Tx,
  { rules, last, begin }: { rules: readonly RetentionRule[]; last: number; begin: Place },
) {
  let end: Place = begin
  for (;;) {
    const seals = await sealsAfter(tx, end.position)
    for (const seal of seals) {
      const { rowId, position, digest, previous } = seal
      const rule = ruleFor(rules, seal.act)
      const isGone = rowId === null && rule && Number(seal.at) * 1000 < Date.parse(rule.before)
      const isNext = position === end.position + 1 && previous === end.digest
      const isWhole = isNext && sealDigest(seal) === digest
      // The last one stays: the next begins where it ends.
      if (!isGone || !isWhole || position === last) return end
      end = { position, digest }
    }
    if (seals.length < stepSize) return end
  }
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

async function signBegin(tx: Tx, { key, now, end }: Pick<Given, 'key' | 'now'> & { end: Place }) {
  await tx.delete(auditStatements).where(eq(auditStatements.kind, 'begin'))
  const statement = { kind: 'begin', at: now.toISOString(), ...end } as const
  await keepStatement(tx, statement, signStatement(statement, key))
  await tx.delete(auditSeals).where(lte(auditSeals.position, end.position))
}
