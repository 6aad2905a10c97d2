import type { Db } from '@svc/core'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { type AuditOutcome, auditEvents } from './schema.ts'

export interface AuditEntry {
  /** What was done, such as `key.revoked`. */
  act: string
  outcome?: AuditOutcome
  /** Whoever did it, where that is known. */
  actor?: string | null
  /** Whom or what it was done to. */
  target?: string | null
  /** Ids and names. Never a secret, and never what somebody typed into a field for one. */
  details?: Record<string, unknown>
  origin?: RequestOrigin
  at: Date
}

/** Who did it, and from where: nothing of both where an application's own code did. */
export type Author = Pick<AuditEntry, 'actor' | 'origin'>

/** Writes a line of the audit trail, in the transaction of the act itself: there is none without the other. */
export async function recordAudit(
  db: Db,
  { act, outcome = 'done', actor, target, details, origin, at }: AuditEntry,
) {
  await db.insert(auditEvents).values({
    at,
    act,
    outcome,
    actor: actor ?? null,
    target: target ?? null,
    // What an agent does is its owner's act, and not theirs alone.
    details: origin?.agent ? { ...details, agent: origin.agent } : (details ?? null),
    keyId: origin?.keyId ?? null,
    address: origin?.address ?? null,
    requestId: origin?.requestId ?? null,
    proof: origin?.proof ?? null,
  })
}
