import { bigint, index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { moment, svcAuth } from '../pg-schema.ts'

export type AuditOutcome = 'done' | 'refused'

/** What happened to accounts. It names users without a reference: the trail outlives them. */
export const auditEvents = svcAuth.table(
  'audit_events',
  {
    auditId: bigint('audit_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment('at').notNull(),
    actor: uuid(),
    keyId: text('key_id'),
    act: text().notNull(),
    /** Whom or what it was done to. */
    target: text(),
    outcome: text().$type<AuditOutcome>().notNull(),
    details: jsonb().$type<Record<string, unknown>>(),
    address: text(),
    requestId: text('request_id'),
    /** The signed request itself, spent by then: it proves which device asked. */
    proof: text(),
  },
  ({ at, actor, act }) => [
    index('audit_events_by_time').on(at),
    index('audit_events_by_actor').on(actor, at),
    index('audit_events_by_act').on(act, at),
  ],
)
