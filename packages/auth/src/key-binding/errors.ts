import { HttpError } from '@svc/core/contract'

/** Whatever is wrong with a renewal. Thrown without arguments, so no answer can tell what: sign in again. */
export class SessionRenewalRefusedError extends HttpError {
  readonly name = 'SessionRenewalRefusedError'
  readonly status = 401
}
