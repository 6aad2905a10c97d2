import { isNotNull, isNull, sql } from 'drizzle-orm'
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
    /** A refusal with the same value is counted here instead of getting a row of its own. Null once it is sealed. */
    repeatKey: text('repeat_key'),
    /** Its place in the chain; null until the sealer has come by. */
    position: bigint({ mode: 'number' }),
    /** Goes with the personal fields: without it, their digest tells nothing of them. */
    salt: text(),
  },
  ({ auditId, at, actor, act, target, details, repeatKey, position }) => [
    uniqueIndex('audit_events_repeat').on(repeatKey).where(isNotNull(repeatKey)),
    index('audit_events_by_time').on(at),
    index('audit_events_by_actor').on(actor, at),
    index('audit_events_by_target').on(target, at),
    index('audit_events_by_act').on(act, at),
    // Of the length of an id only: a longer text does not fit into an index, and would refuse the row.
    index('audit_events_by_organization')
      .on(sql`(${details} ->> 'organizationId')`, at, auditId)
      .where(sql`length(${details} ->> 'organizationId') = 36`),
    index('audit_events_unsealed').on(auditId).where(isNull(position)),
    // What the sealer asks for: a row that may be sealed, and a count whose hour is over.
    index('audit_events_settled')
      .on(auditId)
      .where(sql`(${position} is null and ${repeatKey} is null)`),
    index('audit_events_counting')
      .on(at)
      .where(sql`(${position} is null and ${repeatKey} is not null)`),
  ],
)

/** The chain: each seal has the digest of the one before. It stays where retention deletes its row. */
export const auditSeals = svcAuth.table('audit_seals', {
  position: bigint({ mode: 'number' }).primaryKey(),
  auditId: bigint('audit_id', { mode: 'number' }).notNull().unique('audit_seals_of_event'),
  at: moment('at').notNull(),
  act: text().notNull(),
  /** The salted digest of the personal fields. */
  personal: text().notNull(),
  /** The digest of the row. */
  content: text().notNull(),
  previous: text().notNull(),
  digest: text().notNull(),
})

/** `head` is how far the chain goes, `cut` what retention deletes, `begin` where the chain begins since. */
export type StatementKind = 'head' | 'cut' | 'begin'

/** What the server has signed about the trail. */
export const auditStatements = svcAuth.table(
  'audit_statements',
  {
    statementId: bigint('statement_id', { mode: 'number' })
      .primaryKey()
      .generatedAlwaysAsIdentity(),
    kind: text().$type<StatementKind>().notNull(),
    at: moment('at').notNull(),
    /** A JWS, which can be checked without this database. */
    signed: text().notNull(),
  },
  ({ kind, at }) => [index('audit_statements_by_kind').on(kind, at)],
)
