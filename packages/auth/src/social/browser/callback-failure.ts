import { HttpError } from '@svc/core'
import { AccountDisabledError, AccountPendingDeletionError } from '../../accounts/errors.ts'
import { RegistrationRejectedError } from '../../register/errors.ts'
import {
  AnotherSocialAccountLinkedError,
  SocialAccountAlreadyLinkedError,
  UnverifiedEmailLinkError,
} from '../errors.ts'
import type { SocialNeeds } from '../held.ts'

/**
 * What the error page is told. It learns nothing else of a failure, because others may read the
 * address.
 */
type CallbackFailure =
  | 'expired'
  | 'state_invalid'
  | 'cookie_missing'
  | 'provider_error'
  | 'account_unavailable'
  | 'email_unverified'
  | 'another_linked'
  | 'registration_rejected'
  | 'already_linked'
  | 'unreachable'

/** Thrown if the callback itself finds the fault. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  readonly failure: CallbackFailure

  constructor(failure: CallbackFailure) {
    super(failure)
    this.failure = failure
  }
}

const byClass = [
  [AccountDisabledError, 'account_unavailable'],
  [AccountPendingDeletionError, 'account_unavailable'],
  [UnverifiedEmailLinkError, 'email_unverified'],
  [AnotherSocialAccountLinkedError, 'another_linked'],
  [RegistrationRejectedError, 'registration_rejected'],
  [SocialAccountAlreadyLinkedError, 'already_linked'],
] as const

/** A browser is waiting, so every failure leads to a page. An unexpected one is logged. */
export function failureOf(error: unknown, { log }: SocialNeeds<'log'>): CallbackFailure {
  if (error instanceof CallbackError) return error.failure
  const known = byClass.find(([type]) => error instanceof type)
  if (known) return known[1]
  if (!(error instanceof HttpError)) log.error({ err: error }, 'an OAuth callback failed')
  return 'unreachable'
}
