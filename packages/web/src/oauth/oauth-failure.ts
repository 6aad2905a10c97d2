import { HttpError, ServiceUnavailableError } from '@svc/core/client'

const sentences = {
  expired: 'That took too long, or was begun in another browser. Sign in again.',
  state_invalid: 'This sign-in was not begun here. Sign in again.',
  cookie_missing:
    'The browser did not keep a cookie. Allow cookies for this site and sign in again.',
  provider_error: 'The other service did not say who you are. Sign in again.',
  account_unavailable: 'Nobody can sign in to this account right now.',
  email_unverified:
    'The other service has not verified your email address. Verify it there, or sign in another way.',
  registration_rejected: 'No account could be made for you here.',
  unreachable: 'The service does not answer. Sign in again in a minute.',
  unknown: 'Signing in did not work. Try again.',
}

/** Why nobody is signed in. The first seven are what a callback says in its `error`. */
export type OAuthFailureReason = keyof typeof sentences

export interface OAuthFailure {
  readonly reason: OAuthFailureReason
  /** The same in words. */
  readonly message: string
}

/** The `error` that a callback has put into the address. It may be anybody's text, so only our own words are shown. */
export function failureOfCallback(error: string): OAuthFailure {
  return failure(Object.hasOwn(sentences, error) ? (error as OAuthFailureReason) : 'unknown')
}

const ofAccounts = new Set(['AccountDisabledError', 'AccountPendingDeletionError'])

/** Why the sign-in could not be finished after the callback. */
export function failureOfFinalize(error: unknown): OAuthFailure {
  if (!(error instanceof HttpError)) return failure('unknown')
  if (error instanceof ServiceUnavailableError || error.status === 503)
    return failure('unreachable')
  if (ofAccounts.has(error.name)) return failure('account_unavailable')
  return failure(error.status === 401 ? 'expired' : 'unknown')
}

function failure(reason: OAuthFailureReason): OAuthFailure {
  return { reason, message: sentences[reason] }
}
