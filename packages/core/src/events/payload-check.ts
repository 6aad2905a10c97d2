import type { InvalidField } from '../errors/contract.ts'
import type { AnySchema } from '../schema/schema.ts'
import { type Validated, validator } from '../schema/server.ts'

export type Check = (value: unknown) => unknown

/**
 * Compiles a schema to a function that returns an accepted value, and otherwise throws the error of
 * `refuse`.
 */
export function payloadCheck(
  schema: AnySchema,
  place: string,
  refuse: (fields: InvalidField[]) => Error,
): Check {
  const validate = validator(schema, place)
  const pass = (checked: Validated) => {
    if (checked.fields) throw refuse(checked.fields)
    return checked.value
  }
  return (value) => {
    const result = validate(value)
    return result instanceof Promise ? result.then(pass) : pass(result)
  }
}
