import { HttpError } from '@svc/core/contract'

/** No stream with this id is open: it has ended, or its process has. */
export class StreamNotFoundError extends HttpError {
  static override readonly defaultMessage =
    'No open stream has this id. List the open streams to see them.'
  readonly name = 'StreamNotFoundError'
  readonly status = 404
}
