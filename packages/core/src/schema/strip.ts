import type { TSchema } from 'typebox'
import { Clean, Clone } from 'typebox/value'

type Strip = (value: unknown) => unknown

/**
 * Removes members that a schema does not name, so that a handler which spreads its input into a row
 * can't get a `role` or a `status` (mass assignment). Null if the schema has no object with a
 * closed set of names.
 */
export function strip(schema: TSchema): Strip | null {
  const { type, properties, patternProperties, items, anyOf, allOf, $ref } = schema as Shape
  // Only checking can tell which of several schemas a value matches. Clean does that, but changes
  // the given value.
  if (anyOf && !allOf && !$ref && anyOf.every((one) => strip(one) === null)) return null
  if (anyOf ?? allOf ?? $ref) return (value) => Clean(schema, Clone(value))
  if (type === 'array' && Array.isArray(items)) return stripTuple(items.map(strip))
  if (type === 'array' && items) return stripItems(strip(items))
  if (type === 'object' && (properties ?? patternProperties)) return stripObject(schema)
  return null
}

interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  additionalProperties?: TSchema | boolean
  items?: TSchema | TSchema[]
  anyOf?: TSchema[]
  allOf?: TSchema[]
  $ref?: string
}

function stripItems(item: Strip | null): Strip | null {
  return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
}

function stripTuple(items: (Strip | null)[]): Strip | null {
  if (!items.some(Boolean)) return null
  return (value) =>
    Array.isArray(value) ? value.map((one, index) => items[index]?.(one) ?? one) : value
}

function stripObject(schema: Shape): Strip | null {
  const { properties = {}, patternProperties, additionalProperties } = schema
  const named = Object.entries(properties).map(([name, property]) => ({
    name,
    inner: strip(property),
  }))
  if (patternProperties ?? additionalProperties !== undefined) return stripOpen(named, schema)
  return (value) => {
    if (!isObject(value)) return value
    const clean: Record<string, unknown> = {}
    for (const { name, inner } of named) {
      if (!Object.hasOwn(value, name)) continue
      clean[name] = inner ? inner(value[name]) : value[name]
    }
    return clean
  }
}

/**
 * An object whose names are not all known: a record, or one that says what happens to other
 * members.
 */
function stripOpen(
  named: { name: string; inner: Strip | null }[],
  { patternProperties = {}, additionalProperties }: Shape,
): Strip | null {
  const byName = new Map(named.map(({ name, inner }) => [name, inner]))
  const patterns = Object.entries(patternProperties).map(([pattern, property]) => ({
    // In the way that TypeBox reads it.
    pattern: new RegExp(pattern, 'u'),
    inner: strip(property),
  }))
  const others = typeof additionalProperties === 'object' ? strip(additionalProperties) : undefined
  // `additionalProperties: false` refuses them later, and `true` or a schema allows them on
  // purpose.
  const keepsOthers = additionalProperties !== undefined
  const inners = [...byName.values(), ...patterns.map(({ inner }) => inner), others]
  if (keepsOthers && !inners.some(Boolean)) return null
  return (value) => {
    if (!isObject(value)) return value
    const clean: Record<string, unknown> = {}
    for (const [name, member] of Object.entries(value)) {
      const found = patterns.find(({ pattern }) => pattern.test(name))
      if (!byName.has(name) && !found && !keepsOthers) continue
      const inner = byName.get(name) ?? found?.inner ?? others
      clean[name] = inner ? inner(member) : member
    }
    return clean
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
