import { type AnySchema, type JsonSchema, jsonSchemaOf } from '../schema/schema.ts'

/** A payload's schema in the dialect of AsyncAPI, which is draft 7, as it is to stand at `pointer` of a document. */
export function payloadSchema(
  schema: AnySchema,
  { side, pointer }: { side: 'input' | 'output'; pointer: string },
): JsonSchema {
  const own = described(schema, side)
  const places = new Map<string, string>()
  collectIds(own, pointer, places)
  return moved(own, { pointer, places }) as JsonSchema
}

/** Some of what a library checks, such as what a transform makes of a value, it cannot describe: that may be anything. */
function described(schema: AnySchema, side: 'input' | 'output') {
  try {
    return jsonSchemaOf(schema, { side, target: 'draft-07' })
  } catch {
    return {}
  }
}

function collectIds(value: unknown, at: string, places: Map<string, string>) {
  if (!isObject(value)) return
  if (typeof value.$id === 'string') places.set(value.$id, at)
  for (const [name, member] of Object.entries(value)) {
    collectIds(member, `${at}/${escaped(name)}`, places)
  }
}

/**
 * In a document, `#` is the document and not the schema any more, and a tool takes `Node` for a file. Ids are left out,
 * because a reference below one would count from it.
 */
function moved(value: unknown, to: { pointer: string; places: Map<string, string> }): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, to))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name, member]) => !isReference(name, member))
  const rest = Object.fromEntries(members.map(([name, member]) => [name, moved(member, to)]))
  const { $ref } = value
  if (typeof $ref !== 'string') return rest
  const reference = { $ref: to.places.get($ref) ?? $ref.replace(/^#/, to.pointer) }
  // Draft 7 reads nothing that stands beside a reference.
  return members.length > 0 ? { ...rest, allOf: [rest.allOf ?? [], reference].flat() } : reference
}

/** A property of that name has a schema for its value. */
function isReference(name: string, member: unknown) {
  return (name === '$id' || name === '$ref') && typeof member === 'string'
}

/** As RFC 6901 and the fragment of an address have it. */
function escaped(name: string) {
  return encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
