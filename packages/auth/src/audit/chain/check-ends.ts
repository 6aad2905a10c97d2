import type { Db, TrailFinding } from '@svc/core'
import { and, asc, count, eq, gt, isNotNull, isNull, min, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'
import { writtenColumns } from './digests.ts'
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

/** Rows that say they are sealed, and are not. */
async function insertedRows(db: Db): Promise<TrailFinding[]> {
  const { auditId, act, at } = writtenColumns
  const { position } = auditEvents
  const rows = await db
    .select({ auditId, position: sql<number>`${position}`.mapWith(Number), act, at })
    .from(auditEvents)
    .leftJoin(auditSeals, eq(auditSeals.auditId, auditEvents.auditId))
    .where(and(isNotNull(position), isNull(auditSeals.position)))
    .orderBy(asc(position))
    .limit(most)
  const said = { what: 'inserted', text: 'says that it is sealed, and is not' } as const
  return rows.map((row) => findingOf(row, said))
}
