import { HttpError } from '@svc/core/contract'

/** The account is suspended. Only a caller who has proved to be its owner gets this. */
export class AccountDisabledError extends HttpError {
  readonly name = 'AccountDisabledError'
  readonly status = 403
}

/** The account's deletion is pending: its owner may still cancel it. */
export class AccountPendingDeletionError extends HttpError {
  readonly name = 'AccountPendingDeletionError'
  readonly status = 403
}

/** Another account has this email address or phone number. */
export class AccountAlreadyExistsError extends HttpError {
  readonly name = 'AccountAlreadyExistsError'
  readonly status = 409
}

/** There is no account of this id, or it was deleted. */
export class UserNotFoundError extends HttpError {
  readonly name = 'UserNotFoundError'
  readonly status = 404
}

/**
 * An unknown account, a wrong password, or an account without one. The class takes no arguments, so
 * no response tells which.
 */
export class InvalidCredentialsError extends HttpError {
  readonly name = 'InvalidCredentialsError'
  readonly status = 401
}
