import { type Environment, integer, optional, plain } from '@svc/core'
import { daysOfActs } from './chain/retention-rules.ts'

export const auditVariables = {
  SVC_AUTH_AUDIT_RETENTION_DAYS: integer({ initial: 365, min: 1 }),
  SVC_AUTH_AUDIT_RETENTION: plain(daysOfActs),
  SVC_AUTH_AUDIT_HEADS_PATH: plain(optional),
}

export type AuditEnv = Environment<typeof auditVariables>
