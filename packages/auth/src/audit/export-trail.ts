import type { Db } from '@svc/core'
import { and, asc, sql } from 'drizzle-orm'
import { isUuid } from '../pg-schema.ts'
import { writtenColumns } from './chain/written-rows.ts'
import { type AuditFilter, auditItem, whereOf } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

const stepSize = 250

const { at, auditId, position } = auditEvents
/** A time as PostgreSQL reads it again, whichever it is: a Date has not every time that an attacker can write. */
const columns = { ...writtenColumns, moment: sql<string>`${at}::text`, position }

/** Every row that the filter takes, the oldest first, with the request that proves it and its place in the chain. */
export async function* exportTrail(db: Db, filter: AuditFilter) {
  // The column has nothing else, and PostgreSQL refuses the comparison.
  if (filter.actor !== undefined && !isUuid(filter.actor)) return
  const which = whereOf(filter)
  for (let last: Cursor | undefined; ; ) {
    const rows = await db
      .select(columns)
      .from(auditEvents)
      .where(and(which, last && isBehind(last)))
      .orderBy(asc(at), asc(auditId))
      .limit(stepSize)
    for (const row of rows) {
      const { hasProof: _, ...item } = auditItem(row)
      const { proof, position: place } = row
      yield { ...item, ...(proof && { proof }), ...(place && { position: place }) }
    }
    last = rows.at(-1)
    if (rows.length < stepSize) return
  }
}

interface Cursor {
  readonly moment: string
  readonly auditId: string
}

const isBehind = (last: Cursor) =>
  sql`(${at}, ${auditId}) > (${last.moment}::timestamptz, ${last.auditId}::bigint)`
