import { HttpError } from '@svc/core/contract'

/** A wrong code, one that is used, burnt or expired, or none at all: no response tells which. */
export class InvalidVerificationCodeError extends HttpError {
  static override readonly defaultMessage = 'This code is wrong or has expired. Request a new one.'
  readonly name = 'InvalidVerificationCodeError'
  readonly status = 400
}

/** The token is not ours, has expired, or was used. */
export class InvalidVerificationTokenError extends HttpError {
  static override readonly defaultMessage =
    'This verification was used or has expired. Request a new code.'
  readonly name = 'InvalidVerificationTokenError'
  readonly status = 400
}

/** The code was requested for another purpose. */
export class VerificationTokenPurposeMismatchError extends HttpError {
  static override readonly defaultMessage =
    'This code was requested for something else. Request a new one.'
  readonly name = 'VerificationTokenPurposeMismatchError'
  readonly status = 400
}

/** The code went to another address or number. */
export class VerificationTokenTargetMismatchError extends HttpError {
  static override readonly defaultMessage =
    'This code was sent to another address or number. Request a new one.'
  readonly name = 'VerificationTokenTargetMismatchError'
  readonly status = 400
}
