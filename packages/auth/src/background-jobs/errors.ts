import { HttpError } from '@svc/core/contract'

/** No job has this id and name: it was never there, or is not kept any more. */
export class JobNotFoundError extends HttpError {
  static override readonly defaultMessage =
    'There is no such job, or it is no longer kept. List the jobs to see them.'
  readonly name = 'JobNotFoundError'
  readonly status = 404
}
