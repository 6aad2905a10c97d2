import { HttpError } from '@svc/core/contract'

/** This server takes no id tokens of the provider: no audience is configured. */
export class NativeSignInUnsupportedError extends HttpError {
  readonly name = 'NativeSignInUnsupportedError'
  readonly status = 400
}

/** The nonce is not the fingerprint of the key: the id token would be good for any key. */
export class NonceKeyBindingError extends HttpError {
  readonly name = 'NonceKeyBindingError'
  readonly status = 400
}

/** The id token does not hold: another issuer, audience or nonce, no signature of the provider, or it has expired. */
export class InvalidSocialTokenError extends HttpError {
  readonly name = 'InvalidSocialTokenError'
  readonly status = 401
}
