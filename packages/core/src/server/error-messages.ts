/** What the framework's refusals say that were thrown without a message. */
export const errorMessages: Readonly<Record<string, string>> = {
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
  RequestInProgressError:
    'This request is being handled. Send it again with the same Idempotency-Key.',
  HeadersTooLargeError: 'The headers are too large. Send fewer or shorter ones.',
}
