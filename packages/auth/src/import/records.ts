import { isObject } from '../is-object.ts'
import type { RefusalReason } from './imported-user.ts'

/** A record of an export as it was written, with the line it begins at, or its number in a document. */
export interface GivenRecord {
  readonly line: number
  /** Or why it is none. */
  readonly record: object | RefusalReason
}

/** A megabyte: a lost quotation mark must not take the rest of a file into memory. */
export const longestRecord = 2 ** 20

/** By name, whichever way a system writes it: `emailVerified`, `email_verified` and `Email Verified` are one. */
export type Fields = (...names: string[]) => unknown

export function fieldsOf(record: object): Fields {
  const values = new Map(
    Object.entries(record).map(([name, value]) => [plain(name), unwrapped(value)]),
  )
  return (...names) => names.map((name) => values.get(plain(name))).find(isGiven)
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** MongoDB's export writes an id as `{ "$oid": "…" }`, and a moment as `{ "$date": "…" }`. */
function unwrapped(value: unknown) {
  if (!isObject(value)) return value
  const text = value.$oid ?? value.$date
  return typeof text === 'string' ? text : value
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** What is an object, or JSON text of one as a cell holds it. */
export function objectOf(value: unknown): object | null {
  const parsed = jsonOf(value)
  return isObject(parsed) ? parsed : null
}

/** What is a list, or JSON text of one; of its members those that are objects. */
export function listOf(value: unknown): object[] {
  const parsed = jsonOf(value)
  return Array.isArray(parsed) ? parsed.filter(isObject) : []
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
