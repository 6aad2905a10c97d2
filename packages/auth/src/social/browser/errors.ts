import { HttpError } from '@svc/core/contract'

/** This server has no credentials to sign in browsers with this provider, or the provider signs in apps only. */
export class WebSignInUnsupportedError extends HttpError {
  readonly name = 'WebSignInUnsupportedError'
  readonly status = 400
}

/** Nobody who has come back from a provider waits with this key or cookie, or not any more: sign in again. */
export class OAuthPendingSessionError extends HttpError {
  readonly name = 'OAuthPendingSessionError'
  readonly status = 401
}
