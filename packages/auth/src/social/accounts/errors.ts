import { HttpError } from '@svc/core/contract'

/** An account has this address, and either side has not proved that it is theirs: the address has to be proved first. */
export class UnverifiedEmailLinkError extends HttpError {
  readonly name = 'UnverifiedEmailLinkError'
  readonly status = 400
}

/**
 * The account with this address has another account of the provider linked. Only who has proved the address learns it:
 * the provider has verified it just now.
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

/** Nothing of this provider is linked to the account. */
export class SocialAccountNotLinkedError extends HttpError {
  readonly name = 'SocialAccountNotLinkedError'
  readonly status = 404
}

/** The provider has given nothing to ask for a new access token with: its owner has to sign in with it again. */
export class ProviderConsentRequiredError extends HttpError {
  readonly name = 'ProviderConsentRequiredError'
  readonly status = 409
}
