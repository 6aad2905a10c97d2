import { HttpError } from '@svc/core/contract'

/**
 * Unknown, expired, used or replaced by a newer one. The class takes no arguments, so no response
 * can tell which.
 */
export class InvalidSignupLinkError extends HttpError {
  readonly name = 'InvalidSignupLinkError'
  readonly status = 400
}

/** The setup session is unknown, expired, used, or a newer link was asked for. */
export class InvalidSignupSetupSessionError extends HttpError {
  readonly name = 'InvalidSignupSetupSessionError'
  readonly status = 401
}
