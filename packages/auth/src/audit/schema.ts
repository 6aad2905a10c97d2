import { isNotNull } from 'drizzle-orm'
import { bigint, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { AuditOutcome } from '../caller/caller.ts'
import { moment, svcAuth } from '../pg-schema.ts'

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
    /** How often it happened within the hour: any number of refusals of unsigned requests share one row. */
    times: integer().notNull().default(1),
    /** When it last happened, if more than once. */
    lastAt: moment('last_at'),
    /** A refusal with the same value is counted here instead of getting a row of its own. */
    repeatKey: text('repeat_key'),
  },
  ({ at, actor, act, repeatKey }) => [
    uniqueIndex('audit_events_repeat').on(repeatKey).where(isNotNull(repeatKey)),
    index('audit_events_by_time').on(at),
    index('audit_events_by_actor').on(actor, at),
    index('audit_events_by_act').on(act, at),
  ],
)
