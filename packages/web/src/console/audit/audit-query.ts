import { type AddressQuery, textOf } from '../address-query.ts'

/** Which rows of the trail an address asks for. */
export interface AuditQuery {
  act: string
  actor: string
  target: string
  /** Days, as they were typed. */
  from: string
  to: string
  page: number
}

export function readAuditQuery(query: AddressQuery): AuditQuery {
  const page = query['page']
  return {
    act: textOf(query, 'act', 100),
    actor: textOf(query, 'actor', 320),
    target: textOf(query, 'target', 320),
    from: textOf(query, 'from', 40),
    to: textOf(query, 'to', 40),
    page: typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  }
}

/**
 * Which filters can't be asked: the API would refuse the whole list, and without them the list would be of more than
 * was meant. Only an operator who may read users finds them by an address.
 */
export function auditFaults({ actor, from, to }: AuditQuery, mayReadUsers: boolean) {
  const isWrong = {
    actor: actor !== '' && !mayReadUsers && !isUserId(actor),
    from: from !== '' && !isDay(from),
    to: to !== '' && !isDay(to),
  }
  return { ...isWrong, any: Object.values(isWrong).includes(true) }
}

export function auditAddress(path: string, { page, ...filters }: AuditQuery) {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  const query = new URLSearchParams(given)
  if (page > 1) query.set('page', String(page))
  return query.size === 0 ? path : `${path}?${query}`
}

/** What `listAuditEvents` is asked. The last day is within. */
export function auditInput({ to, page, ...filters }: AuditQuery) {
  const given = Object.entries(filters).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(given), ...(to && { to: dayAfter(to) }), page, limit: 20 }
}

function isUserId(text: string) {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

function isDay(text: string) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

function dayAfter(day: string) {
  const next = new Date(day)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}
