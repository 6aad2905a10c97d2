import { HttpError } from '@svc/core/contract'

/** No stream with this id is open: it has ended, or its process has. */
export class StreamNotFoundError extends HttpError {
  readonly name = 'StreamNotFoundError'
  readonly status = 404
}
