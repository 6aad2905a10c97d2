import { type AnySchema, isStandardSchema } from './schema.ts'

/** Whether a body may be left out: it is an object of which every member may be. */
export function takesEmpty(schema: AnySchema | undefined): boolean {
  if (!schema) return false
  if (isStandardSchema(schema)) return takes(schema, {}) && !takes(schema, 0)
  const { type, required = [] } = schema as { type?: unknown; required?: readonly string[] }
  return type === 'object' && required.length === 0
}

/** A schema that answers later is taken to want a body. */
function takes(schema: Extract<AnySchema, { '~standard': unknown }>, value: unknown) {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && !result.issues
}
