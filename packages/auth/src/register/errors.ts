import { HttpError } from '@svc/core/contract'

/** Thrown by an application's `beforeRegister` to refuse a new account. */
export class RegistrationRejectedError extends HttpError {
  readonly name = 'RegistrationRejectedError'
  readonly status = 403
}
