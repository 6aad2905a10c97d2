import type { TSchema } from 'typebox'

type Coerce = (text: unknown) => unknown

/**
 * Path, query, header and form values arrive as text. Converts each to the type of its schema, but
 * only from its canonical form: `1e3`, `0x10` or ` 5` stay text, and the schema refuses them.
 */
export function coercion(schema: TSchema) {
  const { properties } = schema as { properties?: Record<string, TSchema> }
  const plan = Object.entries(properties ?? {}).flatMap(([name, property]) => {
    const coerce = coercionOf(property)
    return coerce ? [{ name, coerce }] : []
  })
  if (plan.length === 0) return null
  return (given: unknown) => {
    const values = { ...(given as Record<string, unknown>) }
    for (const { name, coerce } of plan) {
      if (Object.hasOwn(values, name)) values[name] = coerce(values[name])
    }
    return values
  }
}

function coercionOf(schema: TSchema): Coerce | null {
  const { type, items, anyOf } = schema as { type?: string; items?: TSchema; anyOf?: TSchema[] }
  if (type === 'integer' || type === 'number') return toNumber
  if (type === 'boolean') return toBoolean
  if (type === 'array') return toArray(items && coercionOf(items))
  if (anyOf) return firstThatChanges(anyOf.map(coercionOf))
  return null
}

const toNumber: Coerce = (text) => {
  if (typeof text !== 'string' || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return text
  const value = Number(text)
  // Above 2^53, the number would differ from the text.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
}

const toBoolean: Coerce = (text) => (text === 'true' ? true : text === 'false' ? false : text)

function toArray(item: Coerce | null | undefined): Coerce {
  return (text) => {
    const list = Array.isArray(text) ? text : [text]
    return item ? list.map(item) : list
  }
}

function firstThatChanges(coercions: (Coerce | null)[]): Coerce | null {
  const known = coercions.filter((coerce) => coerce !== null)
  if (known.length === 0) return null
  return (text) => {
    for (const coerce of known) {
      const value = coerce(text)
      if (value !== text) return value
    }
    return text
  }
}
