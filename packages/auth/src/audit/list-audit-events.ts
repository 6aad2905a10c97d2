import { type Db, ForbiddenError, type HandlerContext, ValidationError } from '@svc/core'
import { and, desc, eq, gte, lt } from 'drizzle-orm'
import { findNamed, goneAccount, labelsOf } from '../accounts/accounts.ts'
import { authOf, type Needs } from '../auth.ts'
import { type Caller, getAuth, refuseSupport } from '../caller/caller.ts'
import { isUuid } from '../pg-schema.ts'
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

type Reader = Pick<Caller, 'permissions'>

/** With the names of accounts, for a reader who may read them. */
export async function listAuditEvents({ db }: Needs<'db'>, query: AuditQuery, reader: Reader) {
  const { page = 1, limit = 20, ...given } = query
  const mayName = reader.permissions.includes('user:read')
  const filter = await byIds(db, given, mayName)
  if (!filter) return { items: [], page, limit, total: 0 }
  const which = whereOf(filter)
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
  const items = rows.map(auditItem)
  return { items: mayName ? await withAccounts(db, items) : items, page, limit, total }
}

/** The trail names accounts by their ids. Null if the actor is no account. */
async function byIds(db: Db, filter: AuditFilter, mayName: boolean): Promise<AuditFilter | null> {
  const { actor, target } = filter
  if (actor !== undefined && !isUuid(actor) && !mayName) {
    const message = 'Give the user id of who did it.'
    throw new ValidationError({ fields: [{ path: 'query.actor', message }] })
  }
  const actorId = actor === undefined ? undefined : await findNamed(db, actor)
  if (actorId === null) return null
  // A target may be any text, so only what looks like an address or a number is looked for.
  const targetId = target && mayName && /@|^\+/.test(target) ? await findNamed(db, target) : null
  return { ...filter, actor: actorId, target: targetId ?? target }
}

const isAboutAccounts = (act: string) => /^(?:user|account|deletion)\./.test(act)

async function withAccounts(db: Db, items: AuditItem[]) {
  const labels = await labelsOf(
    db,
    items.flatMap(({ actor, target }) => [actor, target]),
  )
  // Where an account left no row, only the act tells that its target was one.
  const targetOf = ({ act, target }: AuditItem) =>
    target && (labels.get(target) ?? (isAboutAccounts(act) ? goneAccount(target) : undefined))
  return items.map((item): AuditItem => {
    const { actor } = item
    const targetAccount = targetOf(item)
    return {
      ...item,
      ...(actor && { actorAccount: labels.get(actor) ?? goneAccount(actor) }),
      ...(targetAccount && { targetAccount }),
    }
  })
}

interface OneAct {
  act: string
  actor?: string
  target?: string
  /** When it was done. */
  at?: Date
}

/** The newest line of an act; null if there is none, or it is no longer kept. */
export async function findAct(db: Db, { act, actor, target, at }: OneAct) {
  const which = and(whereOf({ act, actor, target }), at && eq(auditEvents.at, at))
  const [row] = await db
    .select(writtenColumns)
    .from(auditEvents)
    .where(and(which, eq(auditEvents.outcome, 'done')))
    .orderBy(desc(auditEvents.at), desc(auditEvents.auditId))
    .limit(1)
  return row ? auditItem(row) : null
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
  return listAuditEvents(authOf(c.raw.server), query, caller)
}
