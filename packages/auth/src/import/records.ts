import { isObject } from '../is-object.ts'
import type { RefusalReason } from './imported-user.ts'

/**
 * A record of an export as it was written, with the line at which it begins, or its number in a
 * document.
 */
export interface GivenRecord {
  readonly line: number
  /** Or why it has none. */
  readonly record: object | RefusalReason
}

/** A megabyte: a lost quotation mark must not take the rest of a file into memory. */
export const longestRecord = 2 ** 20

/**
 * Reads a field by name, in each spelling that systems use: `emailVerified`, `email_verified` and
 * `Email Verified` are one.
 */
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

/** An object, or JSON text of one as a cell holds it. */
export function objectOf(value: unknown): object | null {
  const parsed = jsonOf(value)
  return isObject(parsed) ? parsed : null
}

/** A list, or JSON text of one, reduced to its objects. */
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

/** A value of JSON or of a cell. Undefined if it is empty, or if no column could hold it. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string' || value.length > 10_000) return undefined
  const text = value.replaceAll('\0', '').trim().toWellFormed()
  return text === '' ? undefined : text
}

const longestId = 255

/**
 * The id of a user in another system or at a provider. Null if it could be confused with another:
 * an id that must be shortened or cleaned, or a number that JSON has rounded, would give one user's
 * account to another.
 */
export function idOf(value: unknown): string | null | undefined {
  if (isNothing(value)) return undefined
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return null
  const text = textOf(value)
  const isWhole = text !== undefined && text === String(value).trim()
  return isWhole && text.length <= longestId ? text : null
}

const yes = new Set(['true', 't', '1', 'yes', 'y', 'on'])
const no = new Set(['false', 'f', '0', 'no', 'n', 'off'])

/**
 * Whether a flag is set. Some systems store a truth value, others the time when it was set. No
 * value means no; null means that the value cannot be understood, because neither a lock nor a
 * proof may be guessed.
 */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (isNothing(value)) return false
  const word = textOf(value)?.toLowerCase() ?? ''
  if (no.has(word)) return false
  return yes.has(word) || momentOf(value) !== undefined ? true : null
}

/**
 * A flag with the opposite meaning, such as `enabled`. One that cannot be understood, or has no
 * value, stays so.
 */
export function oppositeOf(value: unknown): unknown {
  const flag = flagOf(value)
  return flag === null || isNothing(value) ? value : !flag
}

/** Whether an export gives no value. */
export function isNothing(value: unknown) {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2200, 0)

/**
 * ISO 8601, PostgreSQL's form of it, or milliseconds or seconds since 1970. Undefined for anything
 * else.
 */
export function momentOf(value: unknown): Date | undefined {
  const text = textOf(value) ?? ''
  const millis = sinceEpoch(text) ?? Date.parse(isoOf(text))
  return millis >= earliest && millis < latest ? new Date(millis) : undefined
}

/** Whether it is a time in the past. */
export function isPast(value: unknown, now: Date) {
  const moment = momentOf(value)
  return moment !== undefined && moment <= now
}

// Between 1990 and 2200, seconds have nine or ten digits, and milliseconds twelve or thirteen.
function sinceEpoch(text: string) {
  if (/^\d{9,10}$/.test(text)) return Number(text) * 1000
  return /^\d{12,13}$/.test(text) ? Number(text) : undefined
}

const written =
  /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(?:Z|([+-]\d\d)(?::?(\d\d))?)?)?$/

/** `2024-05-01 10:00:00.123+00` becomes `2024-05-01T10:00:00.123+00:00`; without a zone it is UTC. */
function isoOf(text: string) {
  // Date.parse gets nothing else, because it finds a time in "never 1".
  const [, day, time = '00:00', hours = '+00', minutes = '00'] = written.exec(text) ?? []
  return day === undefined ? '' : `${day}T${time}${hours}:${minutes}`
}
