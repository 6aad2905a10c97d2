import { HttpError } from '../errors/errors.ts'

/** The same request is being handled at this moment. Send it again, with the same key. */
export class RequestInProgressError extends HttpError<{ retryAfter: number }> {
  readonly name = 'RequestInProgressError'
  readonly status = 409
  declare readonly retryAfter: number
}
