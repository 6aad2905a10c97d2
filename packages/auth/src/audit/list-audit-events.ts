import { ForbiddenError, type HandlerContext } from '@svc/core'
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { authOf, type Needs } from '../auth.ts'
import { getAuth, refuseSupport } from '../caller/caller.ts'
import { readMoment } from '../read-moment.ts'
import { isoOf, type WrittenRow, writtenColumns } from './chain/written-rows.ts'
import type { AuditItem } from './contract.ts'
import { auditEvents } from './schema.ts'

export interface AuditFilter {
  actor?: string | undefined
  target?: string | undefined
  act?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

interface AuditQuery extends AuditFilter {
  page?: number | undefined
  limit?: number | undefined
}

export async function listAuditEvents({ db }: Needs<'db'>, query: AuditQuery) {
  const { page = 1, limit = 20 } = query
  const which = whereOf(query)
  const [rows, total] = await Promise.all([
    db
      .select(writtenColumns)
      .from(auditEvents)
      .where(which)
      .orderBy(desc(auditEvents.at), desc(auditEvents.auditId))
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(auditEvents, which),
  ])
  return { items: rows.map(auditItem), page, limit, total }
}

export function whereOf({ actor, target, act, from, to }: AuditFilter) {
  return and(
    actor === undefined ? undefined : eq(auditEvents.actor, actor),
    target === undefined ? undefined : eq(auditEvents.target, target),
    act === undefined ? undefined : eq(auditEvents.act, act),
    from === undefined ? undefined : gte(auditEvents.at, readMoment(from, 'query.from')),
    to === undefined ? undefined : lt(auditEvents.at, readMoment(to, 'query.to')),
  )
}

/** Of a row that an attacker wrote too: its time may be none, and its details no object. */
export function auditItem(row: WrittenRow): AuditItem {
  const { at, act, outcome, actor, keyId, target, address, requestId, lastAt } = row
  const details = detailsOf(row)
  return {
    auditId: Number(row.auditId),
    at: isoOf(at),
    act,
    outcome: outcome as AuditItem['outcome'],
    ...(actor && { actor }),
    ...(keyId && { keyId }),
    ...(target && { target }),
    ...(details && { details }),
    ...(address && { address }),
    ...(requestId && { requestId }),
    hasProof: row.proof !== null,
    times: Number(row.times),
    ...(lastAt && { lastAt: isoOf(lastAt) }),
  }
}

/** Null where they were cut: no part of them is JSON. */
function detailsOf({ details }: WrittenRow): AuditItem['details'] | null {
  try {
    return details && JSON.parse(details)
  } catch {
    return null
  }
}

/** What `listAuditEvents` shows, for a route or a tool of the application whose caller may read it. */
export async function readAuditTrail(c: Pick<HandlerContext, 'raw'>, query: AuditQuery = {}) {
  const caller = getAuth(c.raw)
  refuseSupport(caller)
  if (!caller.permissions.includes('audit:read')) throw new ForbiddenError()
  return listAuditEvents(authOf(c.raw.server), query)
}
