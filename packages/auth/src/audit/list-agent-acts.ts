import type { Db } from '@svc/core'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { writtenColumns } from './chain/written-rows.ts'
import { auditItem } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

/** How many of the newest entries of an account are searched. */
const mostLookedThrough = 1000
const mostShown = 20

/** What an agent did lately in an account's name, the newest first. Older entries are only in the trail. */
export async function listAgentActs(
  db: Db,
  { userId, grantId }: Record<'userId' | 'grantId', string>,
) {
  const { actor, at, auditId, details } = auditEvents
  const newestFirst = [desc(at), desc(auditId)]
  const newest = db
    .select({ auditId })
    .from(auditEvents)
    .where(eq(actor, userId))
    .orderBy(...newestFirst)
    .limit(mostLookedThrough)
  const rows = await db
    .select(writtenColumns)
    .from(auditEvents)
    .where(and(inArray(auditId, newest), sql`${details} -> 'agent' ->> 'grantId' = ${grantId}`))
    .orderBy(...newestFirst)
    .limit(mostShown)
  return rows.map((row) => {
    const { at: when, act, outcome, target } = auditItem(row)
    return { at: when, act, outcome, ...(target && { target }) }
  })
}
