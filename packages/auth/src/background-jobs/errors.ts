import { HttpError } from '@svc/core/contract'

/** No job has this id and name: it was never there, or is not kept any more. */
export class JobNotFoundError extends HttpError {
  readonly name = 'JobNotFoundError'
  readonly status = 404
}
