import { type AnySchema, isStandardSchema, type JsonSchemaTarget } from './schema.ts'

export type JsonSchema = Record<string, unknown>

interface Form {
  /** What is given to a schema, or what it makes of that. */
  side: 'input' | 'output'
  target: JsonSchemaTarget
}

/** A schema as JSON Schema, for documents. TypeBox's is one already, of any draft; others are asked for theirs. */
export function jsonSchemaOf(
  schema: AnySchema,
  { side, target }: Form = { side: 'input', target: 'draft-2020-12' },
): JsonSchema {
  if (!isStandardSchema(schema)) {
    const written: JsonSchema = JSON.parse(JSON.stringify(schema))
    return side === 'input' ? withoutDefaulted(written) : written
  }
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) return {}
  const { $schema: _target, ...members } = jsonSchema[side]({ target })
  return members
}

/** What has a default is not required of a caller, at whichever depth defaults are filled in. */
function withoutDefaulted(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf, ...others } = schema as Written
  const members = properties && Object.entries(properties)
  const left = required?.filter((name) => properties?.[name]?.default === undefined)
  return {
    ...others,
    ...(items && {
      items: Array.isArray(items) ? items.map(withoutDefaulted) : withoutDefaulted(items),
    }),
    ...(anyOf && { anyOf: anyOf.map(withoutDefaulted) }),
    ...(left && left.length > 0 && { required: left }),
    ...(members && {
      properties: Object.fromEntries(members.map(([name, one]) => [name, withoutDefaulted(one)])),
    }),
  }
}

interface Written {
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema | JsonSchema[]
  anyOf?: JsonSchema[]
}

/** The names that a caller must give a value for. */
export function requiredOf(schema: AnySchema | undefined) {
  return ((schema && jsonSchemaOf(schema).required) ?? []) as readonly string[]
}

/** The property names of an object schema. Empty for a schema library that does not describe its schemas. */
export function propertiesOf(schema: AnySchema | undefined) {
  return ((schema && jsonSchemaOf(schema).properties) ?? {}) as Record<string, JsonSchema>
}
