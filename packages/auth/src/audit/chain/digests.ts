import { createHash } from 'node:crypto'
import type { WrittenRow } from './written-rows.ts'

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
