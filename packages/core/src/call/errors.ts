import * as frameworkErrors from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'
import type { ErrorClass } from '../routes/contract.ts'
import { type NewError, nameOf } from './class-name.ts'
import { type ApiUnreachableError, receivedError, UnknownHttpError } from './unknown-error.ts'

export { ApiUnreachableError } from './unknown-error.ts'

type Instances<Classes> = {
  [Name in keyof Classes]: Classes[Name] extends new (
    ...args: never[]
  ) => infer Instance
    ? Instance
    : never
}[keyof Classes]

/**
 * The errors that any operation may be refused with. Each has a literal `name`, so that a caller
 * can tell them apart.
 */
export type FrameworkError = Instances<typeof frameworkErrors> | ApiUnreachableError

/** An application's own error classes; the framework's are known. */
export type ErrorClasses = readonly ErrorClass[]

/** The error of an answer, as an instance of its class. The framework's classes are known. */
export function errorFrom(answer: Response, body: unknown, classes: ErrorClasses = []): HttpError {
  const received = receivedError(answer, body)
  const all = [...classes, ...Object.values(frameworkErrors)] as unknown as NewError[]
  const known = all.find((one) => nameOf(one) === received.name)
  return known ? new known(received.facts) : new UnknownHttpError(received)
}
