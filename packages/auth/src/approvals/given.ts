import { createHash } from 'node:crypto'
import { PayloadTooLargeError } from '@svc/core'
import type { Given } from './schema.ts'

/** The values of a call, and their digest. */
export interface ReadGiven {
  given: Given
  givenHash: string
}

/** The parts of a request, as its route has declared them. */
type Data = Readonly<Record<string, unknown>>

// More than a person reads before they decide.
const mostBytes = 8192

/** All values of a call: two calls of which any value differs have different digests. */
export function readGiven(data: Data): ReadGiven {
  const text = JSON.stringify(membersOf(data), (_, value: unknown) => inOrder(value))
  if (Buffer.byteLength(text) > mostBytes) {
    throw new PayloadTooLargeError({
      limitBytes: mostBytes,
      message: `The values of a call that its owner approves may have ${mostBytes} bytes.`,
    })
  }
  const givenHash = createHash('sha256').update(text).digest('hex')
  return { given: JSON.parse(text) as Given, givenHash }
}

/** In one object, unless two parts have a value of the same name: nothing that the route reads may be left out. */
function membersOf(data: Data): Data {
  const parts = Object.entries(data).filter(([, part]) => part !== undefined)
  const names = parts.flatMap(([, part]) => (isRecord(part) ? Object.keys(part) : [null]))
  const areDistinct = !names.includes(null) && new Set(names).size === names.length
  return areDistinct
    ? Object.assign({}, ...parts.map(([, part]) => part))
    : Object.fromEntries(parts)
}

const isRecord = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !Array.isArray(part)

/** The order of members says nothing, so it makes no other call of the same. */
function inOrder(value: unknown) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  // As JSON, a `Map` or a class of your own is `{}`: the owner would approve what they can't see.
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(
      'A value of this call is no JSON, so no owner could read what they approve.',
    )
  }
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
