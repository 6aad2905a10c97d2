import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
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

/** Seconds since 1970, which depend on no setting of the connection. */
const written = (column: unknown) => sql<string>`extract(epoch from ${column})::text`

export const writtenColumns = {
  auditId: sql<string>`${auditEvents.auditId}::text`,
  at: written(auditEvents.at),
  act: auditEvents.act,
  outcome: sql<string>`${auditEvents.outcome}`,
  actor: sql<string | null>`${auditEvents.actor}::text`,
  keyId: auditEvents.keyId,
  target: auditEvents.target,
  requestId: auditEvents.requestId,
  times: sql<string>`${auditEvents.times}::text`,
  lastAt: written(auditEvents.lastAt) as SQL<string | null>,
  details: sql<string | null>`${auditEvents.details}::text`,
  address: auditEvents.address,
  proof: auditEvents.proof,
  salt: auditEvents.salt,
}

export const sealColumns = {
  position: auditSeals.position,
  auditId: sql<string>`${auditSeals.auditId}::text`,
  at: written(auditSeals.at),
  act: auditSeals.act,
  personal: auditSeals.personal,
  content: auditSeals.content,
  previous: auditSeals.previous,
  digest: auditSeals.digest,
}

/** Of an act to itself, an account takes the details along when it is purged. */
const isToItself = ({ actor, target }: WrittenRow) =>
  actor !== null && (target === null || target === actor)

/** What a purge deletes of a row. */
export const personalFields = (row: WrittenRow) => [
  row.address,
  row.proof,
  isToItself(row) ? row.details : null,
]

/** Without the salt, an attacker can't find the address by trying all addresses. */
export function personalDigest(row: WrittenRow) {
  return digestOf('svc audit personal 1', [row.salt, ...personalFields(row)])
}

export function contentDigest(row: WrittenRow, personal: string) {
  const { auditId, at, act, outcome, actor, keyId, target, requestId, times, lastAt } = row
  const details = isToItself(row) ? null : row.details
  const fields = [auditId, at, act, outcome, actor, keyId, target, requestId, times, lastAt]
  return digestOf('svc audit row 1', [...fields, details, personal])
}

export interface Seal {
  readonly position: number
  readonly auditId: string
  readonly at: string
  readonly act: string
  readonly content: string
  readonly previous: string
}

/** Time and act are in it themselves: when the row is gone, they say whether retention may have deleted it. */
export function sealDigest({ position, auditId, at, act, content, previous }: Seal) {
  return digestOf('svc audit seal 1', [position, auditId, at, act, content, previous])
}

/** What the first seal has in the place of a digest before it. */
export const firstPrevious = digestOf('svc audit chain 1', [])

/** A JSON array, in which no two lists are written the same. */
function digestOf(what: string, fields: readonly (string | number | null)[]) {
  return createHash('sha256')
    .update(JSON.stringify([what, ...fields]))
    .digest('base64url')
}
