import { defineCapability } from '../capability/capability.ts'
import { auditContract } from './contract.ts'
import { auditVariables } from './env.ts'
import { auditRetention, auditSeal, type WithKnownHead } from './jobs.ts'
import { blankActs, exportActs } from './kept-acts.ts'
import { listAuditEvents } from './list-audit-events.ts'
import { auditEvents, auditSeals, auditStatements } from './schema.ts'

export const auditCapability = defineCapability(auditContract, {
  env: auditVariables,
  tables: { auditEvents, auditSeals, auditStatements },
  jobs: { auditSeal, auditRetention },
  open: (): WithKnownHead => ({ known: { head: null } }),
  handlers: {
    listAuditEvents: async ({ auth, caller, query, c }) => {
      const { items, page, limit, total } = await listAuditEvents(auth, query, caller)
      return c.paginated(items, page, limit, total)
    },
  },
  account: {
    export: { auditEvents: (db, { userId }) => exportActs(db, userId) },
    // Last of all: what others have written of the account on its way out is blanked too.
    forget: (tx, { userId }) => blankActs(tx, userId),
  },
})
