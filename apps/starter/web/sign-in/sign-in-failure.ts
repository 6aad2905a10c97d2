import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
} from '@svc/auth'
import { HttpError, TooManyRequestsError, ValidationError } from '@svc/core/client'

const unanswered = 'The API does not answer right now. Try again in a moment.'

/** The account has a second factor, for which there is no page yet. */
export class SecondFactorError extends Error {}

/** What a person can do about a sign-in that failed. */
export function signInFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError || error instanceof ValidationError) {
    return 'The email or the password is wrong.'
  }
  if (error instanceof TooManyRequestsError) {
    return `Too many tries. Try again in ${waitingTime(error.retryAfter)}.`
  }
  if (error instanceof AccountDisabledError) return 'This account is suspended.'
  if (error instanceof AccountPendingDeletionError) return 'This account is about to be deleted.'
  if (error instanceof SecondFactorError) {
    return 'This account has a second factor, which this page cannot ask for yet.'
  }
  if (!(error instanceof HttpError) || error.status === 503) return unanswered
  return `The API refused: ${error.message}`
}

function waitingTime(seconds: number) {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
