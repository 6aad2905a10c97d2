import { HttpError } from '@svc/core/contract'

/** The username is another account's, in whichever case it was written. */
export class UsernameAlreadyTakenError extends HttpError {
  readonly name = 'UsernameAlreadyTakenError'
  readonly status = 409
}

/** This username is reserved: it would pass for the service's own. */
export class ReservedUsernameError extends HttpError {
  readonly name = 'ReservedUsernameError'
  readonly status = 400
}
