import { HttpError } from '../errors/errors.ts'

/** No answer came: the network or the server is down, or the time was up. Whether the call took effect is unknown. */
export class ApiUnreachableError extends HttpError {
  readonly name = 'ApiUnreachableError'
  readonly status = 503
}
