import type { HttpError } from '../errors/http-error.ts'
import type { ErrorClass, Operation } from './operation.ts'

export interface Refusal {
  status: number
  name: string
}

/** What an operation may be refused with, as documents tell it: what it declares, and input that does not match. */
export function refusalsOf({ errors, input }: Operation): Refusal[] {
  const refusals = errors.map(statusAndName)
  const takesInput = Object.keys(input).length > 0
  return takesInput ? [...refusals, { status: 400, name: 'ValidationError' }] : refusals
}

function statusAndName(Class: ErrorClass): Refusal {
  // The literals live on instances; what an error is given does not matter for them.
  const { status, name } = new (Class as new (facts: object) => HttpError)({})
  return { status, name }
}
