import { HttpError } from '@svc/core/contract'

export class InvalidVerificationTokenError extends HttpError {
  readonly name = 'InvalidVerificationTokenError'
  readonly status = 400
}
