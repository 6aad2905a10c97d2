import { implement } from '../running/implement.ts'
import { auditContract } from './contract.ts'
import { listAuditEvents } from './list-audit-events.ts'

export const auditRoutes = implement(auditContract, {
  listAuditEvents: async ({ auth, query, c }) => {
    const { items, page, limit, total } = await listAuditEvents(auth, query)
    return c.paginated(items, page, limit, total)
  },
})
