import { HttpError } from '@svc/core/contract'

/** Thrown by an application's `beforeRegister` to refuse a new account. */
export class RegistrationRejectedError extends HttpError {
  static override readonly defaultMessage =
    'This account was not created. Ask the people who run this service.'
  readonly name = 'RegistrationRejectedError'
  readonly status = 403
}
