import { HttpError } from '@svc/core/contract'

/** A wrong proof of the second factor, or a challenge that is unknown, used, expired or burned: one refusal for all. */
export class MfaVerificationFailedError extends HttpError {
  readonly name = 'MfaVerificationFailedError'
  readonly status = 401
}

/** The account has an authenticator app already. */
export class MfaAlreadyEnrolledError extends HttpError {
  readonly name = 'MfaAlreadyEnrolledError'
  readonly status = 409
}

/** The account has no second factor, or none of this kind. */
export class MfaNotEnrolledError extends HttpError {
  readonly name = 'MfaNotEnrolledError'
  readonly status = 400
}

/** `SVC_AUTH_TOKEN_ENCRYPTION_KEYS` has no key, or not the one that the factor needs. */
export class MfaUnavailableError extends HttpError {
  readonly name = 'MfaUnavailableError'
  readonly status = 501
}
