import type { Db } from '@svc/core'
import { and, asc, eq, gt, or } from 'drizzle-orm'
import { isUuid } from '../pg-schema.ts'
import { type AuditFilter, auditItem, whereOf } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

const stepSize = 1000

/** Every row that the filter takes, the oldest first, with the request that proves it and its place in the chain. */
export async function* exportTrail(db: Db, filter: AuditFilter) {
  // The column has nothing else, and PostgreSQL refuses the comparison.
  if (filter.actor !== undefined && !isUuid(filter.actor)) return
  const which = whereOf(filter)
  let last: typeof auditEvents.$inferSelect | undefined
  for (;;) {
    const { at, auditId } = auditEvents
    const isNext = last && or(gt(at, last.at), and(eq(at, last.at), gt(auditId, last.auditId)))
    const rows = await db
      .select()
      .from(auditEvents)
      .where(and(which, isNext))
      .orderBy(asc(at), asc(auditId))
      .limit(stepSize)
    for (const row of rows) {
      const { proof, position } = row
      const { hasProof: _, ...item } = auditItem(row)
      yield { ...item, ...(proof && { proof }), ...(position && { position }) }
    }
    last = rows.at(-1)
    if (rows.length < stepSize) return
  }
}
