import type { Db, TrailFinding } from '@svc/core'
import { and, asc, count, eq, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { sealColumns, writtenColumns } from './digests.ts'
import { findingOf } from './read-seals.ts'
import type { Statements } from './read-statements.ts'

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
  const isStuck = waiting.oldest !== null && waiting.oldest.getTime() < longAgo
  const findings: TrailFinding[] = [
    ...cutOff(statements, last),
    ...(isStuck ? [{ what: 'unsealed', text: stuckText(waiting.oldest) } as const] : []),
    ...(await unsigned(db, statements, longAgo)),
    ...(await sealsBefore(db, statements)),
    ...(await insertedRows(db)),
  ]
  return { unsealed: waiting.rows, findings }
}

const stuckText = (oldest: Date | null) =>
  `rows since ${oldest?.toISOString()} are not sealed: does a server run its jobs?`

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
    .select({ rows: count(), oldest: min(at) })
    .from(auditEvents)
    .where(isNull(position))
  return waiting ?? { rows: 0, oldest: null }
}

async function unsigned(db: Db, { heads }: Statements, longAgo: number): Promise<TrailFinding[]> {
  const { position, at } = auditSeals
  const [oldest] = await db
    .select({ position, at })
    .from(auditSeals)
    .where(gt(position, heads.at(-1)?.position ?? 0))
    .orderBy(asc(position))
    .limit(1)
  if (!oldest || oldest.at.getTime() > longAgo) return []
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
  let from: number | null = null
  do {
    const to = await endOfStep(db, from)
    findings.push(...(await insertedIn(db, from, to)))
    from = to
  } while (from !== null && findings.length < most)
  return findings.slice(0, most)
}

const rowsOfStep = 10_000

/** The last row of the next step. Null where there are fewer. */
async function endOfStep(db: Db, from: number | null) {
  const { auditId } = auditEvents
  const [row] = await db
    .select({ auditId })
    .from(auditEvents)
    .where(from === null ? undefined : gt(auditId, from))
    .orderBy(asc(auditId))
    .offset(rowsOfStep - 1)
    .limit(1)
  return row?.auditId ?? null
}

async function insertedIn(db: Db, from: number | null, to: number | null) {
  const { auditId, act, at } = writtenColumns
  const { position, auditId: number } = auditEvents
  const rows = await db
    .select({ auditId, position: sql<number>`${position}`.mapWith(Number), act, at })
    .from(auditEvents)
    .leftJoin(auditSeals, eq(auditSeals.auditId, number))
    .where(
      and(
        from === null ? undefined : gt(number, from),
        to === null ? undefined : lte(number, to),
        isNotNull(position),
        isNull(auditSeals.position),
      ),
    )
    .orderBy(asc(number))
    .limit(most)
  const said = { what: 'inserted', text: 'says that it is sealed, and is not' } as const
  return rows.map((row) => findingOf(row, said))
}
