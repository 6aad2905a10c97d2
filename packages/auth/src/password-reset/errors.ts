import { HttpError } from '@svc/core/contract'

/**
 * Unknown, expired, used or replaced by a newer one, or the account has changed since: no response
 * tells which.
 */
export class PasswordResetLinkError extends HttpError {
  readonly name = 'PasswordResetLinkError'
  readonly status = 401
}

/** The same for the setup session that a link opened. */
export class PasswordResetSessionError extends HttpError {
  readonly name = 'PasswordResetSessionError'
  readonly status = 401
}
