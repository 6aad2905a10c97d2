import { HttpError } from '@svc/core/contract'

/** An unknown account, a wrong password, an account without one: it takes no arguments, so no answer tells which. */
export class InvalidCredentialsError extends HttpError {
  readonly name = 'InvalidCredentialsError'
  readonly status = 401
}
