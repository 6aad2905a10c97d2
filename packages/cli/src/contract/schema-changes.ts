import type { Pair, Schema } from './bundle.ts'
import { tighterLimits } from './limits.ts'
import { alternativesOf, literalsOf, partsOf, requires, typesOf } from './schema-shape.ts'

export interface Place {
  /**
   * The server must still accept what a client sends, and the client must still be able to read the
   * answer.
   */
  side: 'input' | 'answer'
  path: string
  types: Pair<Record<string, Schema>>
}

/** The changes of a schema that break clients of the earlier one, one line for each. */
export function schemaChanges(schemas: Pair<Schema>, place: Place): string[] {
  const { before, now } = both(schemas, (schema, version) =>
    alternativesOf(schema, place.types[version]),
  )
  const [old, fresh] = [before[0], now[0]]
  if (before.length === 1 && now.length === 1 && old && fresh) {
    return valueChanges({ before: old, now: fresh }, place)
  }
  return unionChanges({ before, now }, place)
}

/**
 * One side has to read all that the other may write: the server writes answers, and clients input.
 */
function unionChanges({ before, now }: Pair<Schema[]>, place: Place): string[] {
  const [written, read] = place.side === 'input' ? [before, now] : [now, before]
  const unread = written.map((writes) => {
    const changes = read.map((reads) => valueChanges(pairOf(writes, reads, place), place))
    return changes.toSorted((a, b) => a.length - b.length)[0] ?? []
  })
  if (before.length === now.length) return unread.flat()
  if (unread.every((changes) => changes.length === 0)) return []
  const lost = 'no longer accepts every value that it accepted'
  return [
    `${place.path} ${place.side === 'input' ? lost : 'may now have values that it did not have'}`,
  ]
}

function pairOf(written: Schema, read: Schema, { side }: Place): Pair<Schema> {
  return side === 'input' ? { before: written, now: read } : { before: read, now: written }
}

function valueChanges(schemas: Pair<Schema>, place: Place): string[] {
  if (!isReadable(both(schemas, typesOf), place)) {
    const { before, now } = both(schemas, (schema) => typesOf(schema)?.join(' or ') ?? 'anything')
    return [`${place.path} is now ${now}; it was ${before}`]
  }
  const limits = place.side === 'input' ? tighterLimits(schemas) : []
  const said = [...literalChanges(both(schemas, literalsOf), place), ...limits]
  return [...said.map((what) => `${place.path} ${what}`), ...partChanges(schemas, place)]
}

function isReadable({ before, now }: Pair<string[] | null>, { side }: Place) {
  const [written, read] = side === 'input' ? [before, now] : [now, before]
  if (!read) return true
  return written?.every((type) => {
    return read.includes(type) || (type === 'integer' && read.includes('number'))
  })
}

/** Clients accept unknown values, so an answer may have more of them, and fewer. */
function literalChanges({ before, now }: Pair<unknown[] | null>, { side }: Place): string[] {
  if (!now || (side === 'answer' && !before)) return []
  if (!before) return [`accepts only ${listed(now)}`]
  const lost = before.filter((value) => !now.includes(value))
  if (side === 'input') return lost.length > 0 ? [`no longer accepts ${listed(lost)}`] : []
  return lost.length === before.length ? [`is now ${listed(now)}; it was ${listed(before)}`] : []
}

function listed(values: readonly unknown[]) {
  return values.map((value) => JSON.stringify(value)).join(', ')
}

function partChanges(schemas: Pair<Schema>, place: Place): string[] {
  const parts = both(schemas, partsOf)
  const paths = new Set([...parts.before.keys(), ...parts.now.keys()])
  return [...paths].flatMap((path) => {
    const [before, now] = [parts.before.get(path), parts.now.get(path)]
    const inner = { ...place, path: `${place.path}${path}` }
    if (!now) return [`${inner.path} is gone`]
    const presence = presenceChange(
      both(schemas, (schema) => requires(schema, path)),
      inner,
    )
    if (!before) return presence.map(() => `${inner.path} is new and required`)
    return [...presence, ...schemaChanges({ before, now }, inner)]
  })
}

function presenceChange({ before, now }: Pair<boolean>, { side, path }: Place): string[] {
  if (side === 'input') return now && !before ? [`${path} is now required`] : []
  return before && !now ? [`${path} may now be missing`] : []
}

function both<From, To>(
  { before, now }: Pair<From>,
  make: (value: From, version: keyof Pair<From>) => To,
): Pair<To> {
  return { before: make(before, 'before'), now: make(now, 'now') }
}
