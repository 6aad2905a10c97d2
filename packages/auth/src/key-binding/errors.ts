import { HttpError } from '@svc/core/contract'

/**
 * Any fault of a renewal. Thrown without arguments, so no response can tell which: the user signs
 * in again.
 */
export class SessionRenewalRefusedError extends HttpError {
  static override readonly defaultMessage = 'This session cannot be renewed. Sign in again.'
  readonly name = 'SessionRenewalRefusedError'
  readonly status = 401
}
