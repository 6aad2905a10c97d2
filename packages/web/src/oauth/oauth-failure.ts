import { ConflictError, HttpError, ServiceUnavailableError } from '@svc/core/client'

/** What has happened, and what to do about it. */
const sentences = {
  expired: 'That took too long, or was begun in another browser or tab. Begin again.',
  state_invalid:
    'This was used already, was not begun here, or another sign-in was begun meanwhile. Begin again, in one tab.',
  cookie_missing:
    'The browser did not keep a cookie, or this site has two addresses. Allow cookies for this site and begin again here.',
  provider_error:
    'The other service did not say who you are. Allow it there when it asks, or sign in another way.',
  account_unavailable:
    'Nobody can sign in to this account right now. It may be suspended, or about to be deleted: ask whoever runs this app.',
  email_unverified:
    'An account here has the same email address, and it was not proved on both sides. Sign in to it another way and link the other service there.',
  another_linked:
    'The account here with your email address is linked to another account of that service. Sign in with that one, or in another way. To use this one, unlink the other first.',
  registration_rejected:
    'No account could be made for you here. Sign in another way, or ask to be invited.',
  already_linked:
    'That account of the other service, or another one of it, is linked here already. Unlink it first, where it is linked.',
  signed_in: 'You are signed in here already. Sign out first, then sign in again.',
  unreachable: 'The service does not answer. Try again in a minute.',
  unknown: 'Signing in did not work. Try again, or another way.',
}

/** Why nobody is signed in. What a callback says in its `error` is among them. */
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
  if (error instanceof ConflictError) return failure('signed_in')
  return failure(error.status === 401 ? 'expired' : 'unknown')
}

function failure(reason: OAuthFailureReason): OAuthFailure {
  return { reason, message: sentences[reason] }
}
