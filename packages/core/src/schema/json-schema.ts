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
  if (!isStandardSchema(schema)) return JSON.parse(JSON.stringify(schema))
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) return {}
  const { $schema: _target, ...members } = jsonSchema[side]({ target })
  return members
}

/** The property names of an object schema. Empty for a schema library that does not describe its schemas. */
export function propertiesOf(schema: AnySchema | undefined) {
  return ((schema && jsonSchemaOf(schema).properties) ?? {}) as Record<string, JsonSchema>
}
