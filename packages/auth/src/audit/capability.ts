import { defineCapability } from '../capability/capability.ts'
import { auditContract } from './contract.ts'
import { auditVariables } from './env.ts'
import { auditRetention, blankActs, exportActs } from './kept-acts.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { auditEvents } from './schema.ts'

export const auditCapability = defineCapability(auditContract, {
  env: auditVariables,
  tables: { auditEvents },
  jobs: { auditRetention },
  handlers: {
    listAuditEvents: async ({ auth, query, c }) => {
      const { items, page, limit, total } = await listAuditEvents(auth, query)
      return c.paginated(items, page, limit, total)
    },
  },
  account: {
    export: { auditEvents: (db, { userId }) => exportActs(db, userId) },
    // Last of all: what others have written of the account on its way out is blanked too.
    forget: (tx, { userId }) => blankActs(tx, userId),
  },
})
