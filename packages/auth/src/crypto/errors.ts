import { HttpError } from '@svc/core/contract'

/** The public key is of another type than the declared `algorithm`. */
export class KeyAlgorithmMismatchError extends HttpError {
  readonly name = 'KeyAlgorithmMismatchError'
  readonly status = 400
}

/** The fingerprint is not the SHA-256 of the public key's DER bytes, in lowercase hex. */
export class InvalidKeyFingerprintError extends HttpError {
  readonly name = 'InvalidKeyFingerprintError'
  readonly status = 400
}

/**
 * The key id was used before. Thrown without arguments, so no response can tell by which account.
 */
export class KeyIdAlreadyRegisteredError extends HttpError {
  readonly name = 'KeyIdAlreadyRegisteredError'
  readonly status = 409
}

/** Unknown, or another account's. Thrown without arguments, so no response can tell which. */
export class KeyNotFoundError extends HttpError {
  readonly name = 'KeyNotFoundError'
  readonly status = 404
}
