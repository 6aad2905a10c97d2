import {
  BadRequestError,
  PayloadTooLargeError,
  UnprocessableEntityError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../errors/contract.ts'
import type { HttpError } from '../errors/errors.ts'
import { RequestInProgressError } from '../idempotency/errors.ts'
import type { ErrorClass, Refusal } from './error-class.ts'
import type { MiddlewareDocuments } from './middleware-documents.ts'
import type { Operation } from './operation.ts'

/** The refusals of an operation, for documents: those that it declares, and invalid input. */
export function refusalsOf({ errors, input, isIdempotent }: Operation): Refusal[] {
  const declared = isIdempotent ? [...errors, ...ofRepeated] : errors
  const refusals = declared.flatMap(refusalsOfClass)
  const takesInput = Object.keys(input).length > 0
  return takesInput ? [...refusals, ...refusalsOfClass(ValidationError)] : refusals
}

const ofRepeated = [RequestInProgressError, UnprocessableEntityError]

const ofBodies = [BadRequestError, PayloadTooLargeError, UnsupportedMediaTypeError]

/** The same, and the refusals because of its body and of the middleware around it, each once. */
export function everyRefusal(operation: Operation, documents: readonly MiddlewareDocuments[]) {
  const { body, form } = operation.input
  const around = [
    ...documents.flatMap(({ errors = [] }) => errors),
    ...((body ?? form) ? ofBodies : []),
  ]
  const told = documents.flatMap(({ refusals = [] }) => refusals)
  const all = [...refusalsOf(operation), ...around.flatMap(refusalsOfClass), ...told]
  const [rewording] = documents.flatMap(({ rewords }) => rewords ?? [])
  const asSent = rewording
    ? [...refusalsOfClass(rewording), ...all.filter(({ status }) => keptAsTheyAre.has(status))]
    : all
  return [...new Map(asSent.map((each) => [`${each.status} ${each.name}`, each])).values()]
}

/** Of a caller that is refused, and of a route that is not there. Other classes have no word for it. */
const keptAsTheyAre = new Set([401, 403, 404])

function refusalsOfClass(Class: ErrorClass): Refusal[] {
  // Only instances have the literals. The arguments of the error do not matter for them.
  const { status, name } = new (Class as unknown as new (facts: object) => HttpError)({})
  const { statuses = [status], wireSchema } = Class
  return statuses.map((each) => ({ status: each, name, ...(wireSchema && { schema: wireSchema }) }))
}
