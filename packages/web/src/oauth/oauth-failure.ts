import { ConflictError, HttpError, ServiceUnavailableError } from '@svc/core/client'

/** What has happened, and what to do about it. */
const sentences = {
  expired: 'That took too long, or you started in another browser or tab. Start again.',
  state_invalid:
    'This sign-in was already used, was started somewhere else, or you started another one. Start again, in one tab.',
  cookie_missing:
    'The browser did not keep a cookie, or this site has two addresses. Allow cookies for this site and start again here.',
  provider_error:
    'The other service did not say who you are. Allow it there when it asks, or sign in another way.',
  account_unavailable:
    'You can’t sign in to this account right now. It may be suspended, or going to be deleted. Ask the people who run this app.',
  email_unverified:
    'An account here already has this email address, and the address is not verified on both sides. Sign in to that account another way, then link the other service.',
  another_linked:
    'The account here with your email address is linked to another account of that service. Sign in with that one, or another way. To use this one, unlink the other one first.',
  registration_rejected:
    'We could not create an account for you. Sign in another way, or ask for an invitation.',
  already_linked:
    'This account, or another one of the same service, is already linked here. Unlink it first.',
  signed_in: 'You are signed in here already. Sign out first, then sign in again.',
  unreachable: 'The service does not answer. Try again in a minute.',
  unknown: 'Signing in did not work. Try again, or sign in another way.',
} as const

/** Why the sign-in failed. Includes what a callback says in its `error`. */
export type OAuthFailureReason = keyof typeof sentences

/** Why a sign-in with a provider has failed. */
export interface OAuthFailure {
  readonly reason: OAuthFailureReason
  /** The same in words. */
  readonly message: (typeof sentences)[OAuthFailureReason]
}

/**
 * The `error` that a callback has put into the address. An attacker may have written it, so only
 * our own words are shown.
 */
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
  if (error instanceof ConflictError) return failure('signed_in')
  return failure(error.status === 401 ? 'expired' : 'unknown')
}

function failure(reason: OAuthFailureReason): OAuthFailure {
  return { reason, message: sentences[reason] }
}
