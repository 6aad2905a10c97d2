import { HttpError } from '@svc/core/contract'

/** The account is suspended. Only a caller who has proved to be its owner gets this. */
export class AccountDisabledError extends HttpError {
  static override readonly defaultMessage =
    'This account is suspended. Ask the people who run this service.'
  readonly name = 'AccountDisabledError'
  readonly status = 403
}

/** The account's deletion is pending: its owner may still cancel it. */
export class AccountPendingDeletionError extends HttpError {
  static override readonly defaultMessage = 'This account is going to be deleted. Restore it first.'
  readonly name = 'AccountPendingDeletionError'
  readonly status = 403
}

export class AccountAlreadyExistsError extends HttpError {
  static override readonly defaultMessage =
    'This address or number already has an account. Sign in to it, or use another one.'
  readonly name = 'AccountAlreadyExistsError'
  readonly status = 409
}

export class UserNotFoundError extends HttpError {
  static override readonly defaultMessage = 'There is no such user. Check the user id.'
  readonly name = 'UserNotFoundError'
  readonly status = 404
}

/**
 * An unknown account, a wrong password, or an account without one. The class takes no arguments, so
 * no response tells which.
 */
export class InvalidCredentialsError extends HttpError {
  static override readonly defaultMessage = 'The credentials are wrong. Check them and try again.'
  readonly name = 'InvalidCredentialsError'
  readonly status = 401
}
