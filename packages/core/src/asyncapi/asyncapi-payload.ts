import { type AnySchema, type JsonSchema, jsonSchemaOf } from '../schema/schema.ts'

/**
 * A payload's schema in the dialect of AsyncAPI, which is draft 7, for the place `pointer` of a
 * document.
 */
export function payloadSchema(
  schema: AnySchema,
  { side, pointer }: { side: 'input' | 'output'; pointer: string },
): JsonSchema {
  const own = described(schema, side)
  const places = new Map<string, string>()
  collectIds(own, pointer, places)
  return moved(own, { pointer, places }) as JsonSchema
}

/**
 * A library can check things that a schema can't describe, such as the result of a transform. Then
 * any value is allowed.
 */
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
 * In a document, `#` is the document and no longer the schema, and a tool takes `Node` for a file.
 * Ids are left out, because references below one would be relative to it.
 */
function moved(value: unknown, to: { pointer: string; places: Map<string, string> }): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, to))
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([name, member]) => !isReference(name, member))
  const rest = Object.fromEntries(members.map(([name, member]) => [name, moved(member, to)]))
  const { $ref } = value
  if (typeof $ref !== 'string') return rest
  const reference = { $ref: to.places.get($ref) ?? $ref.replace(/^#/, to.pointer) }
  // Draft 7 ignores everything beside a reference.
  return members.length > 0 ? { ...rest, allOf: [rest.allOf ?? [], reference].flat() } : reference
}

/** A property of that name has a schema as its value. */
function isReference(name: string, member: unknown) {
  return (name === '$id' || name === '$ref') && typeof member === 'string'
}

/** In the form of RFC 6901 and of the fragment of an address. */
function escaped(name: string) {
  return encodeURI(name.replaceAll('~', '~0').replaceAll('/', '~1')).replaceAll('#', '%23')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
