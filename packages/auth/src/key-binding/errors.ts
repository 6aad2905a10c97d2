import { HttpError } from '@svc/core/contract'

/**
 * Any fault of a renewal. Thrown without arguments, so no response can tell which: the user signs
 * in again.
 */
export class SessionRenewalRefusedError extends HttpError {
  readonly name = 'SessionRenewalRefusedError'
  readonly status = 401
}
