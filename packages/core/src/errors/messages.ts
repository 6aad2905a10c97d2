import type { HttpError } from './errors.ts'

/**
 * What is wrong, and then what to do, for the framework's classes that were thrown without a message. Clients get it in
 * the answer, so it is not in what browsers load.
 */
export const messages: Readonly<Record<string, string>> = {
  BadRequestError: 'The request is not valid. Check it against the documentation.',
  UnauthorizedError: 'This request needs valid credentials. Sign in, then try again.',
  ForbiddenError: 'You may not do this. Ask an administrator for access.',
  MethodNotAllowedError: 'This path does not take this method. Use one of those in allow.',
  RequestTimeoutError: 'The request took too long to arrive. Send it again.',
  ConflictError:
    'This conflicts with a change that was made before. Read the current state and try again.',
  GoneError: 'This is no longer here. If movedTo is set, use that address.',
  PayloadTooLargeError: 'The body is too large. Send a smaller one.',
  UriTooLongError: 'The address is too long. Send a shorter one.',
  UnsupportedMediaTypeError: 'The body has a type that is not accepted here. Send another one.',
  UnprocessableEntityError: 'The request cannot be processed. Check its values.',
  TooManyRequestsError: 'Too many requests. Wait retryAfter seconds, then try again.',
  ServiceUnavailableError: 'The service is not available right now. Try again in a moment.',
  HeadersTooLargeError: 'The headers are too large. Send fewer or shorter ones.',
}

/**
 * What an answer says: the message of the error, or of its class. `OutOfStockError` without either
 * is `Out of stock`.
 */
export function messageOf(error: HttpError) {
  if (error.message) return error.message
  const known = messages[error.name]
  if (known !== undefined) return known
  const words = wordsOf(error.name)
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase()
}

/** `DeviceAuthNotFoundError` → `Device Auth Not Found`. */
export function wordsOf(name: string) {
  return name.replace(/Error$/, '').replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
}
