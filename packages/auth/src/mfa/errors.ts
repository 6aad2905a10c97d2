import { HttpError } from '@svc/core/contract'

/** A wrong proof of the second factor, or a challenge that is unknown, used, expired or burned: one refusal for all. */
export class MfaVerificationFailedError extends HttpError {
  static override readonly defaultMessage =
    'The proof of the second factor is wrong or has expired. Try again, or sign in again.'
  readonly name = 'MfaVerificationFailedError'
  readonly status = 401
}

/** The account has an authenticator app already. */
export class MfaAlreadyEnrolledError extends HttpError {
  static override readonly defaultMessage =
    'This account already has an authenticator app. Remove it before you add another one.'
  readonly name = 'MfaAlreadyEnrolledError'
  readonly status = 409
}

/** The account has no second factor, or none of this kind. */
export class MfaNotEnrolledError extends HttpError {
  static override readonly defaultMessage =
    'This account has no second factor of this kind. Add one, or use another kind.'
  readonly name = 'MfaNotEnrolledError'
  readonly status = 400
}

/** `SVC_AUTH_TOKEN_ENCRYPTION_KEYS` has no key, or not the one that the factor needs. */
export class MfaUnavailableError extends HttpError {
  // Browsers have this text too, and no name of a variable that holds a secret.
  static override readonly defaultMessage =
    'This server has no encryption key for this second factor. Its operator must configure one.'
  readonly name = 'MfaUnavailableError'
  readonly status = 501
}
