import type { Db, TrailFinding } from '@svc/core'
import { and, asc, count, eq, gt, isNotNull, isNull, lt, lte, min, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { findingOf } from './read-seals.ts'
import type { Statements } from './read-statements.ts'
import { noPlace } from './seal-rows.ts'
import { isoOf, sealColumns, writtenColumns } from './written-rows.ts'

/** What is older and not sealed or not signed does not just wait: something keeps it from being. */
export const latestMillis = 2 * 3_600_000

interface Given {
  readonly now: Date
  readonly statements: Statements
  /** The last position of the chain. */
  readonly last: number
}

/** What is behind the chain, or should be, and what is beside it. */
export async function endFindings(db: Db, { now, statements, last }: Given) {
  const longAgo = now.getTime() - latestMillis
  const waiting = await waitingRows(db)
  const isStuck = waiting.oldest !== null && Number(waiting.oldest) * 1000 < longAgo
  const findings: TrailFinding[] = [
    ...cutOff(statements, last),
    ...(isStuck ? [{ what: 'unsealed', text: stuckText(waiting.oldest ?? '') } as const] : []),
    ...(await unsigned(db, statements, new Date(longAgo))),
    ...(await sealsBefore(db, statements)),
    ...(await insertedRows(db)),
  ]
  return { unsealed: waiting.rows, findings }
}

const stuckText = (oldest: string) =>
  `rows since ${isoOf(oldest)} are not sealed: does a server run its jobs?`

function cutOff({ heads }: Statements, last: number): TrailFinding[] {
  const head = heads.at(-1)
  if (!head || head.position <= last) return []
  const { position, at } = head
  const text = `the chain ends at position ${last}, and the server signed it up to ${position} at ${at}`
  return [{ what: 'removed', position: last + 1, text }]
}

async function waitingRows(db: Db) {
  const { position, at } = auditEvents
  const [waiting] = await db
    .select({ rows: count(), oldest: sql<string | null>`extract(epoch from ${min(at)})::text` })
    .from(auditEvents)
    .where(isNull(position))
  return waiting ?? { rows: 0, oldest: null }
}

async function unsigned(db: Db, { heads }: Statements, longAgo: Date): Promise<TrailFinding[]> {
  const { position, at } = auditSeals
  const [oldest] = await db
    .select({ position })
    .from(auditSeals)
    .where(and(gt(position, heads.at(-1)?.position ?? 0), lt(at, longAgo)))
    .orderBy(asc(position))
    .limit(1)
  if (!oldest) return []
  const text = 'no head that a known key has signed goes as far as this'
  return [{ what: 'unsigned', position: oldest.position, text }]
}

const most = 1000

/** What the walk never comes by: it starts behind them. */
async function sealsBefore(db: Db, { begin }: Statements): Promise<TrailFinding[]> {
  const { position } = auditSeals
  const seals = await db
    .select(sealColumns)
    .from(auditSeals)
    .where(lte(position, begin?.position ?? 0))
    .orderBy(asc(position))
    .limit(most)
  const said = { what: 'inserted', text: 'has a seal from before the chain begins' } as const
  return seals.map((seal) => findingOf(seal, said))
}

/** Rows that say they are sealed, and are not. In steps: one statement for all takes too long for a large trail. */
async function insertedRows(db: Db): Promise<TrailFinding[]> {
  const findings: TrailFinding[] = []
  let from: string | null = null
  do {
    const to = await endOfStep(db, from)
    findings.push(...(await insertedIn(db, from, to)))
    from = to
  } while (from !== null && findings.length < most)
  return findings.slice(0, most)
}

const rowsOfStep = 10_000

const isBehind = (from: string | null) =>
  from === null ? undefined : sql`${auditEvents.auditId} > ${from}::bigint`

/** The last row of the next step. Null where there are fewer. A number of an attacker's has any digits. */
async function endOfStep(db: Db, from: string | null): Promise<string | null> {
  const { auditId } = auditEvents
  const [row] = await db
    .select({ auditId: writtenColumns.auditId })
    .from(auditEvents)
    .where(isBehind(from))
    .orderBy(asc(auditId))
    .offset(rowsOfStep - 1)
    .limit(1)
  return row?.auditId ?? null
}

async function insertedIn(db: Db, from: string | null, to: string | null) {
  const { auditId, act, at } = writtenColumns
  const { position, auditId: number } = auditEvents
  const rows = await db
    .select({ auditId, position: sql<number>`${position}`.mapWith(Number), act, at })
    .from(auditEvents)
    .leftJoin(auditSeals, eq(auditSeals.auditId, number))
    .where(
      and(
        isBehind(from),
        to === null ? undefined : sql`${number} <= ${to}::bigint`,
        isNotNull(position),
        isNull(auditSeals.position),
      ),
    )
    .orderBy(asc(number))
    .limit(most)
  return rows.map((row) => findingOf(row, { what: 'inserted', text: insertedText(row) }))
}

const insertedText = ({ position }: { position: number }) =>
  position === noPlace
    ? 'is none that the server can have written, so it was not sealed'
    : 'says that it is sealed, and is not'
