import { ForbiddenError, type HandlerContext } from '@svc/core'
import { authOf } from '../auth.ts'
import { getAuth } from '../caller/context.ts'
import { type AuditQuery, listAuditEvents } from './list-audit-events.ts'

/** What `listAuditEvents` shows, for a route or a tool of the application whose caller may read it. */
export async function readAuditTrail(c: Pick<HandlerContext, 'raw'>, query: AuditQuery = {}) {
  if (!getAuth(c.raw).permissions.includes('audit:read')) throw new ForbiddenError()
  return listAuditEvents(authOf(c.raw.server), query)
}
