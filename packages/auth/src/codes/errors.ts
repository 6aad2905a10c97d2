import { HttpError } from '@svc/core/contract'

/** A wrong code, one that is used, burnt or expired, or none at all: no response tells which. */
export class InvalidVerificationCodeError extends HttpError {
  readonly name = 'InvalidVerificationCodeError'
  readonly status = 400
}

/** The token is not ours, has expired, or was used. */
export class InvalidVerificationTokenError extends HttpError {
  readonly name = 'InvalidVerificationTokenError'
  readonly status = 400
}

/** The code was requested for another purpose. */
export class VerificationTokenPurposeMismatchError extends HttpError {
  readonly name = 'VerificationTokenPurposeMismatchError'
  readonly status = 400
}

/** The code went to another address or number. */
export class VerificationTokenTargetMismatchError extends HttpError {
  readonly name = 'VerificationTokenTargetMismatchError'
  readonly status = 400
}
