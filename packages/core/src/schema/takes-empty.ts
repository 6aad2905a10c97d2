import { type AnySchema, isStandardSchema } from './schema.ts'
import { validator } from './validate.ts'

/** Whether a body may be left out: it is an object of which every member may be. What takes anything is none. */
export function takesEmpty(schema: AnySchema | undefined): boolean {
  return schema !== undefined && takes(schema, {}) && !takes(schema, 0)
}

/** A schema that takes its time asks somebody else: it is taken to want a body. */
function takes(schema: AnySchema, value: unknown) {
  if (!isStandardSchema(schema)) return !('fields' in validator(schema, 'body')(value))
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && !result.issues
}
