import { type Environment, integer } from '@svc/core'

export const auditVariables = {
  SVC_AUTH_AUDIT_RETENTION_DAYS: integer({ initial: 365, min: 1 }),
}

export type AuditEnv = Environment<typeof auditVariables>
