import { HttpError } from '@svc/core/contract'

/** Unknown, expired, used or replaced by a newer one, or the account has changed since: no answer tells which. */
export class PasswordResetLinkError extends HttpError {
  readonly name = 'PasswordResetLinkError'
  readonly status = 401
}

/** The same, of the setup session that a link became. */
export class PasswordResetSessionError extends HttpError {
  readonly name = 'PasswordResetSessionError'
  readonly status = 401
}
