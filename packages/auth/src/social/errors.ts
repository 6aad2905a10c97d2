import { HttpError } from '@svc/core/contract'

/**
 * An account has this address, and it is not proved on both sides: the user must prove the address
 * first.
 */
export class UnverifiedEmailLinkError extends HttpError {
  readonly name = 'UnverifiedEmailLinkError'
  readonly status = 400
}

/**
 * The account with this address is linked to another account of the provider. Only a user who has
 * proved the address learns that: the provider has verified it just now.
 */
export class AnotherSocialAccountLinkedError extends HttpError {
  readonly name = 'AnotherSocialAccountLinkedError'
  readonly status = 409
}

/** The account of the provider signs in to another account of ours, or ours has another one of that provider. */
export class SocialAccountAlreadyLinkedError extends HttpError {
  readonly name = 'SocialAccountAlreadyLinkedError'
  readonly status = 409
}

/** No account of this provider is linked. */
export class SocialAccountNotLinkedError extends HttpError {
  readonly name = 'SocialAccountNotLinkedError'
  readonly status = 404
}

/**
 * There is no refresh token for a new access token: the user must sign in with the provider again.
 */
export class ProviderConsentRequiredError extends HttpError {
  readonly name = 'ProviderConsentRequiredError'
  readonly status = 409
}

/** This server has no credentials to sign in browsers with this provider, or the provider signs in apps only. */
export class WebSignInUnsupportedError extends HttpError {
  readonly name = 'WebSignInUnsupportedError'
  readonly status = 400
}

/** No sign-in from a provider waits with this key or cookie, or it has expired: sign in again. */
export class OAuthPendingSessionError extends HttpError {
  readonly name = 'OAuthPendingSessionError'
  readonly status = 401
}

/** This server accepts no id tokens of the provider: no audience is configured. */
export class NativeSignInUnsupportedError extends HttpError {
  readonly name = 'NativeSignInUnsupportedError'
  readonly status = 400
}

/** The nonce is not the fingerprint of the key: the id token would be valid for any key. */
export class NonceKeyBindingError extends HttpError {
  readonly name = 'NonceKeyBindingError'
  readonly status = 400
}

/**
 * The id token is not valid: another issuer, audience or nonce, a wrong signature, or it has
 * expired.
 */
export class InvalidSocialTokenError extends HttpError {
  readonly name = 'InvalidSocialTokenError'
  readonly status = 401
}
