import { type AnySchema, isStandardSchema } from './schema.ts'

export type JsonSchema = Record<string, unknown>

/** A schema as JSON Schema 2020-12, for documents. TypeBox's is one already; others are asked for theirs. */
export function jsonSchemaOf(schema: AnySchema): JsonSchema {
  if (!isStandardSchema(schema)) return JSON.parse(JSON.stringify(schema))
  const { jsonSchema } = schema['~standard']
  if (!jsonSchema) return {}
  const { $schema: _target, ...members } = jsonSchema.input({ target: 'draft-2020-12' })
  return members
}
