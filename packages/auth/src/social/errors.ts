import { HttpError } from '@svc/core/contract'

/**
 * An account has this address, and it is not proved on both sides: the user must prove the address
 * first.
 */
export class UnverifiedEmailLinkError extends HttpError {
  static override readonly defaultMessage =
    'An account has this email, which is not verified on both sides. Sign in another way and verify it.'
  readonly name = 'UnverifiedEmailLinkError'
  readonly status = 400
}

/**
 * The account with this address is linked to another account of the provider. Only a user who has
 * proved the address learns that: the provider has verified it just now.
 */
export class AnotherSocialAccountLinkedError extends HttpError {
  static override readonly defaultMessage =
    'Another account of this provider is linked. Sign in with that one, or unlink it first.'
  readonly name = 'AnotherSocialAccountLinkedError'
  readonly status = 409
}

/** The account of the provider signs in to another account of ours, or ours has another one of that provider. */
export class SocialAccountAlreadyLinkedError extends HttpError {
  static override readonly defaultMessage =
    'This account, or another one of the provider, is already linked. Unlink it first.'
  readonly name = 'SocialAccountAlreadyLinkedError'
  readonly status = 409
}

/** No account of this provider is linked. */
export class SocialAccountNotLinkedError extends HttpError {
  static override readonly defaultMessage = 'No account of this provider is linked. Link one first.'
  readonly name = 'SocialAccountNotLinkedError'
  readonly status = 404
}

/**
 * There is no refresh token for a new access token: the user must sign in with the provider again.
 */
export class ProviderConsentRequiredError extends HttpError {
  static override readonly defaultMessage =
    'The provider must give its consent again. Let the user sign in with it again.'
  readonly name = 'ProviderConsentRequiredError'
  readonly status = 409
}

/** This server has no credentials to sign in browsers with this provider, or the provider signs in apps only. */
export class WebSignInUnsupportedError extends HttpError {
  static override readonly defaultMessage =
    'This server signs in no browser with this provider. Use another way to sign in.'
  readonly name = 'WebSignInUnsupportedError'
  readonly status = 400
}

/** No sign-in from a provider waits with this key or cookie, or it has expired: sign in again. */
export class OAuthPendingSessionError extends HttpError {
  static override readonly defaultMessage = 'This sign-in is finished or has expired. Start again.'
  readonly name = 'OAuthPendingSessionError'
  readonly status = 401
}

/** This server accepts no id tokens of the provider: no audience is configured. */
export class NativeSignInUnsupportedError extends HttpError {
  static override readonly defaultMessage =
    'This server accepts no id tokens of this provider. Use another way to sign in.'
  readonly name = 'NativeSignInUnsupportedError'
  readonly status = 400
}

/** The nonce is not the fingerprint of the key: the id token would be valid for any key. */
export class NonceKeyBindingError extends HttpError {
  static override readonly defaultMessage =
    'The nonce is not the fingerprint of the key. Request an id token with the fingerprint as its nonce.'
  readonly name = 'NonceKeyBindingError'
  readonly status = 400
}

/**
 * The id token is not valid: another issuer, audience or nonce, a wrong signature, or it has
 * expired.
 */
export class InvalidSocialTokenError extends HttpError {
  static override readonly defaultMessage =
    'The id token is not valid or has expired. Request a new one from the provider.'
  readonly name = 'InvalidSocialTokenError'
  readonly status = 401
}
