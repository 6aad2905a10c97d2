import { HttpError } from '@svc/core/contract'

/** Another account has the username, in any case. */
export class UsernameAlreadyTakenError extends HttpError {
  readonly name = 'UsernameAlreadyTakenError'
  readonly status = 409
}

/** The username is reserved, because it could be taken for the service's own. */
export class ReservedUsernameError extends HttpError {
  readonly name = 'ReservedUsernameError'
  readonly status = 400
}
