import { HttpError } from '@svc/core/contract'

/** The public key is of another type than the declared `algorithm`. */
export class KeyAlgorithmMismatchError extends HttpError {
  static override readonly defaultMessage =
    'The public key does not match its algorithm. Send a key of that type.'
  readonly name = 'KeyAlgorithmMismatchError'
  readonly status = 400
}

/** The fingerprint is not the SHA-256 of the public key's DER bytes, in lowercase hex. */
export class InvalidKeyFingerprintError extends HttpError {
  static override readonly defaultMessage =
    'The fingerprint does not match the public key. Send the SHA-256 of its DER bytes, in lowercase hex.'
  readonly name = 'InvalidKeyFingerprintError'
  readonly status = 400
}

/**
 * The key id was used before. Thrown without arguments, so no response can tell by which account.
 */
export class KeyIdAlreadyRegisteredError extends HttpError {
  static override readonly defaultMessage =
    'This key cannot be registered. Create a new key with a new key id.'
  readonly name = 'KeyIdAlreadyRegisteredError'
  readonly status = 409
}

/** Unknown, or another account's. Thrown without arguments, so no response can tell which. */
export class KeyNotFoundError extends HttpError {
  static override readonly defaultMessage =
    'This account has no such key. List its keys to see them.'
  readonly name = 'KeyNotFoundError'
  readonly status = 404
}
