import { HttpError } from '@svc/core/contract'

/** Unknown, or another account's. Thrown without arguments, so no response can tell which. */
export class PasskeyNotFoundError extends HttpError {
  readonly name = 'PasskeyNotFoundError'
  readonly status = 404
}

/** The authenticator's credential is a passkey already. */
export class PasskeyAlreadyRegisteredError extends HttpError {
  readonly name = 'PasskeyAlreadyRegisteredError'
  readonly status = 409
}

/** The challenge is unknown, used, expired, or was made for something else. */
export class PasskeyChallengeError extends HttpError {
  readonly name = 'PasskeyChallengeError'
  readonly status = 401
}

/**
 * The authenticator's signature is not valid. Thrown without arguments, so no response can tell
 * why.
 */
export class PasskeyVerificationError extends HttpError {
  readonly name = 'PasskeyVerificationError'
  readonly status = 401
}

/** Without it the account could never be opened again: set a password or prove an address first. */
export class LastRecoveryCredentialError extends HttpError {
  readonly name = 'LastRecoveryCredentialError'
  readonly status = 409
}
