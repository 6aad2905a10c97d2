import { HttpError } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { AuditEntry } from '../caller/caller.ts'
import { recordAudit } from './record-audit.ts'

export { jwkOf, type PublicTrailKey, readTrailKey, trailKey } from './chain/statements.ts'
export { verifyChain } from './chain/verify.ts'
export type { WrittenRow } from './chain/written-rows.ts'
export { exportTrail } from './export-trail.ts'
export { listAgentActs } from './list-agent-acts.ts'
export { findAct, readAuditTrail } from './list-audit-events.ts'
export {
  listOrganizationActs,
  type MakersQuery,
  type OrganizationAct,
  type OrganizationActsQuery,
  readMakers,
} from './list-organization-acts.ts'
export { type AppEntry, recordAct } from './record-act.ts'
export { recordAudit } from './record-audit.ts'

type Refused = Omit<AuditEntry, 'outcome' | 'details' | 'at'>

/** Runs it, and writes down where it refuses: behind its transaction, which has left nothing by then. */
export async function auditRefusal<Result>(
  { db, clock }: Needs<'db' | 'clock'>,
  refused: Refused,
  run: () => Promise<Result>,
) {
  try {
    return await run()
  } catch (error) {
    // A failure of ours is no try of anybody's.
    if (error instanceof HttpError && error.status < 500) {
      await recordAudit(db, { ...refused, outcome: 'refused', at: clock.now() })
    }
    throw error
  }
}
