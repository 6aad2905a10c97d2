import type { RequestOrigin } from './request-origin.ts'

export type AuditOutcome = 'done' | 'refused'

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
