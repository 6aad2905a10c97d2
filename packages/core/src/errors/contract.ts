import { type ErrorFacts, HttpError } from './errors.ts'

/** 400: the request is malformed, for example its body is not JSON. */
export class BadRequestError extends HttpError {
  readonly name = 'BadRequestError'
  readonly status = 400
}

/** One part of the input that was refused. It never repeats the value, which may be a password. */
export interface InvalidField {
  path: string
  message: string
}

/** 400: the input does not match its schema. `fields` says where. */
export class ValidationError extends HttpError<{ fields: InvalidField[] }> {
  readonly name = 'ValidationError'
  readonly status = 400
  declare readonly fields: InvalidField[]

  constructor(facts: ErrorFacts<{ fields: InvalidField[] }>) {
    super({ message: `The request is not valid${inWords(facts.fields)}.`, ...facts })
  }
}

// A message is one line: the rest is in `fields`.
const mostInWords = 3

/** The client makes this error from any response, so it skips entries that aren't fields. */
function inWords(fields: unknown) {
  if (!Array.isArray(fields)) return ''
  const named = fields.filter(isField)
  if (named.length === 0) return ''
  const words = named
    .slice(0, mostInWords)
    .map(({ path, message }) => `${path} ${message.replace(/\.$/, '')}`)
  const more = named.length - words.length
  return `: ${[...words, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')}`
}

function isField(field: unknown): field is InvalidField {
  const { path, message } = (field ?? {}) as Partial<InvalidField>
  return typeof path === 'string' && typeof message === 'string'
}

/** 401: the request is not from a caller that the server knows. */
export class UnauthorizedError extends HttpError {
  readonly name = 'UnauthorizedError'
  readonly status = 401
}

/** 403: the caller is known, but may not do this. */
export class ForbiddenError extends HttpError {
  readonly name = 'ForbiddenError'
  readonly status = 403
}

/** 404: `resource` names what does not exist. */
export class NotFoundError extends HttpError<{ resource: string }> {
  readonly name = 'NotFoundError'
  readonly status = 404
  declare readonly resource: string

  constructor(facts: ErrorFacts<{ resource: string }>) {
    super({ message: `${facts.resource} not found`, ...facts })
  }
}

/** 405: the path exists, but not with this method. `allow` lists those that it has. */
export class MethodNotAllowedError extends HttpError<{ allow: string[] }> {
  readonly name = 'MethodNotAllowedError'
  readonly status = 405
  declare readonly allow: string[]
}

/** 408: the request took too long to arrive. */
export class RequestTimeoutError extends HttpError {
  readonly name = 'RequestTimeoutError'
  readonly status = 408
}

/** 409: the request is at odds with what is stored, for example a name is taken. */
export class ConflictError extends HttpError {
  readonly name = 'ConflictError'
  readonly status = 409
}

/** 410: it is no longer there. `movedTo` may say where it is now. */
export class GoneError extends HttpError<{ movedTo?: string }> {
  readonly name = 'GoneError'
  readonly status = 410
  declare readonly movedTo?: string
}

/** 413: the body is over its limit. */
export class PayloadTooLargeError extends HttpError<{ limitBytes?: number }> {
  readonly name = 'PayloadTooLargeError'
  readonly status = 413
  declare readonly limitBytes?: number
}

/** 414: the address is too long. */
export class UriTooLongError extends HttpError {
  readonly name = 'UriTooLongError'
  readonly status = 414
}

/** 415: the route does not accept a body of this content type or encoding. */
export class UnsupportedMediaTypeError extends HttpError {
  readonly name = 'UnsupportedMediaTypeError'
  readonly status = 415
}

/** 422: the input is well formed, but can not be used. */
export class UnprocessableEntityError extends HttpError {
  readonly name = 'UnprocessableEntityError'
  readonly status = 422
}

/** `retryAfter` is in seconds; it is also sent as the header `Retry-After`. */
export class TooManyRequestsError extends HttpError<{ retryAfter: number }> {
  readonly name = 'TooManyRequestsError'
  readonly status = 429
  declare readonly retryAfter: number
}

/** 431: the headers are too large. */
export class HeadersTooLargeError extends HttpError {
  readonly name = 'HeadersTooLargeError'
  readonly status = 431
}

/** 500: a failure that the caller can do nothing about. */
export class InternalServerError extends HttpError {
  readonly name = 'InternalServerError'
  readonly status = 500
}

/**
 * A dependency of this server is down, or the server is overloaded. It never means a refusal: keep your key and retry.
 * With `place`, the request had no effect: send it again with the header `x-svc-place` after `retryAfter` seconds, and
 * it keeps its place in line.
 */
export class ServiceUnavailableError extends HttpError<{ retryAfter: number; place?: string }> {
  readonly name = 'ServiceUnavailableError'
  readonly status = 503
  declare readonly retryAfter: number
  declare readonly place?: string

  constructor(facts: ErrorFacts<{ retryAfter?: number; place?: string }> = {}) {
    super({ message: 'The service is not available right now.', retryAfter: 5, ...facts })
  }
}
