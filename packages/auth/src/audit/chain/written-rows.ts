import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { auditEvents, auditSeals } from '../schema.ts'

/** A row as PostgreSQL writes it: what a driver makes of a number or a moment could hide an edit. */
export interface WrittenRow {
  readonly auditId: string
  readonly at: string
  readonly act: string
  readonly outcome: string
  readonly actor: string | null
  readonly keyId: string | null
  readonly target: string | null
  readonly requestId: string | null
  readonly times: string
  readonly lastAt: string | null
  readonly details: string | null
  readonly address: string | null
  readonly proof: string | null
  readonly salt: string | null
}

/** No text that the server writes is longer. One that an attacker has made longer is cut, or it would take all memory. */
const longest = 16_384
/** A thousand permissions of a role. */
const longestDetails = 262_144

const text = (column: AnyColumn) => sql<string>`left(${column}, ${sql.raw(`${longest + 1}`)})`
const textOrNull = (column: AnyColumn) => text(column) as SQL<string | null>

/** Seconds since 1970, which depend on no setting of the connection. */
const seconds = (column: AnyColumn) => sql<string>`extract(epoch from ${column})::text`

const { details: given } = auditEvents

/**
 * Nothing where PostgreSQL could fail to write them out: a few kilobytes of huge numbers are gigabytes of text. The
 * server writes no such details, and no empty text.
 */
const details = sql<string | null>`case
  when jsonb_typeof(${given}) <> 'object' then ''
  when pg_column_size(${given} || '{}'::jsonb) > 400000 then ''
  when pg_column_size(${given} || '{}'::jsonb) > 4000
    and jsonb_path_exists(${given}, '$.** ? (@ > 1e309 || @ < -1e309)') then ''
  else left(${given}::text, ${sql.raw(`${longestDetails + 1}`)}) end`

export const writtenColumns = {
  auditId: sql<string>`${auditEvents.auditId}::text`,
  at: seconds(auditEvents.at),
  // Its index bounds it. By a column that is never null, Drizzle tells whether a join has found a row.
  act: auditEvents.act,
  outcome: text(auditEvents.outcome),
  actor: sql<string | null>`${auditEvents.actor}::text`,
  keyId: textOrNull(auditEvents.keyId),
  target: textOrNull(auditEvents.target),
  requestId: textOrNull(auditEvents.requestId),
  times: sql<string>`${auditEvents.times}::text`,
  lastAt: seconds(auditEvents.lastAt) as SQL<string | null>,
  details,
  address: textOrNull(auditEvents.address),
  proof: textOrNull(auditEvents.proof),
  salt: textOrNull(auditEvents.salt),
}

export const sealColumns = {
  position: auditSeals.position,
  auditId: sql<string>`${auditSeals.auditId}::text`,
  at: seconds(auditSeals.at),
  act: text(auditSeals.act),
  personal: text(auditSeals.personal),
  content: text(auditSeals.content),
  previous: text(auditSeals.previous),
  digest: text(auditSeals.digest),
}

const isTooLong = (value: string | null) => (value?.length ?? 0) > longest

/** Whether the server can have written it: an attacker, or a bug, may have put any value into any column. */
export function isPlausible({ details: written, ...row }: WrittenRow) {
  const year = new Date(Number(row.at) * 1000).getUTCFullYear()
  if (!(year >= 1970 && year <= 9999)) return false
  if (written === '' || (written?.length ?? 0) > longestDetails) return false
  return !Object.values(row).some(isTooLong)
}

/** The moment in ISO 8601, or its seconds where no Date can have it. */
export function isoOf(at: string) {
  const moment = new Date(Math.round(Number(at) * 1000))
  return Number.isNaN(moment.getTime()) ? at : moment.toISOString()
}

const lastMillis = Date.UTC(9999, 11, 31)

/** The same with four digits of a year for each moment, so that texts compare as moments do. */
export function comparableIso(at: string) {
  return new Date(Math.min(Math.max(Math.round(Number(at) * 1000), 0), lastMillis)).toISOString()
}
