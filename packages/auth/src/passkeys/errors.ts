import { HttpError } from '@svc/core/contract'

/** Unknown, or another account's. Thrown without arguments, so no response can tell which. */
export class PasskeyNotFoundError extends HttpError {
  static override readonly defaultMessage =
    'This account has no such passkey. List its passkeys to see them.'
  readonly name = 'PasskeyNotFoundError'
  readonly status = 404
}

/** The authenticator's credential is a passkey already. */
export class PasskeyAlreadyRegisteredError extends HttpError {
  static override readonly defaultMessage =
    'This passkey is already registered. Use another authenticator.'
  readonly name = 'PasskeyAlreadyRegisteredError'
  readonly status = 409
}

/** The challenge is unknown, used, expired, or was made for something else. */
export class PasskeyChallengeError extends HttpError {
  static override readonly defaultMessage =
    'The challenge was used or has expired. Request new options, then try again.'
  readonly name = 'PasskeyChallengeError'
  readonly status = 401
}

/**
 * The authenticator's signature is not valid. Thrown without arguments, so no response can tell
 * why.
 */
export class PasskeyVerificationError extends HttpError {
  static override readonly defaultMessage =
    'The passkey was not accepted. Try again, or use another one.'
  readonly name = 'PasskeyVerificationError'
  readonly status = 401
}

/** Without it the account could never be opened again: set a password or prove an address first. */
export class LastRecoveryCredentialError extends HttpError {
  static override readonly defaultMessage =
    'This is the last way to sign in to the account. Set a password or verify an address first.'
  readonly name = 'LastRecoveryCredentialError'
  readonly status = 409
}
