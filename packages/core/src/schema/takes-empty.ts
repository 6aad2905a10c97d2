import { requiredOf } from './json-schema.ts'
import { type AnySchema, isStandardSchema } from './schema.ts'

/** Whether a body may be left out: it is an object of which every member may be, or has a default. */
export function takesEmpty(schema: AnySchema | undefined): boolean {
  if (!schema) return false
  if (isStandardSchema(schema)) return takes(schema, {}) && !takes(schema, 0)
  return (schema as { type?: unknown }).type === 'object' && requiredOf(schema).length === 0
}

/** A schema that answers later is taken to want a body. */
function takes(schema: Extract<AnySchema, { '~standard': unknown }>, value: unknown) {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && !result.issues
}
