import type { HttpError } from '../../packages/core/src/errors/errors.ts'

/** What an error class answers, for any arguments. */
export function factsOf(Class: object) {
  return new (Class as new (facts: object) => HttpError)({})
}
