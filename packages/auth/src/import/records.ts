/** A record of an export as it was written, with the line it begins at, or its number in a document. */
export interface GivenRecord {
  readonly line: number
  /** Null for what could not be read. */
  readonly record: object | null
}

/** A megabyte: a lost quotation mark must not take the rest of a file into memory. */
export const longestRecord = 2 ** 20

/** By name, whichever way a system writes it: `emailVerified`, `email_verified` and `Email Verified` are one. */
export type Fields = (...names: string[]) => unknown

export function fieldsOf(record: object): Fields {
  const values = new Map(Object.entries(record).map(([name, value]) => [plain(name), value]))
  return (...names) => names.map((name) => values.get(plain(name))).find(isGiven)
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

/** What is an object, or JSON text of one as a cell holds it. */
export function objectOf(value: unknown): object | null {
  const parsed = jsonOf(value)
  return isRecord(parsed) ? parsed : null
}

/** What is a list, or JSON text of one; of its members those that are objects. */
export function listOf(value: unknown): object[] {
  const parsed = jsonOf(value)
  return Array.isArray(parsed) ? parsed.filter(isRecord) : []
}

export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function jsonOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return null
  }
}
