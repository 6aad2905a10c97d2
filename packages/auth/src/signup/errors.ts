import { HttpError } from '@svc/core/contract'

/**
 * Unknown, expired, used or replaced by a newer one. The class takes no arguments, so no response
 * can tell which.
 */
export class InvalidSignupLinkError extends HttpError {
  static override readonly defaultMessage =
    'This link was used or replaced, or has expired. Request a new one.'
  readonly name = 'InvalidSignupLinkError'
  readonly status = 400
}

/** The setup session is unknown, expired, used, or a newer link was asked for. */
export class InvalidSignupSetupSessionError extends HttpError {
  static override readonly defaultMessage =
    'This sign-up is finished or has expired. Request a new link.'
  readonly name = 'InvalidSignupSetupSessionError'
  readonly status = 401
}
