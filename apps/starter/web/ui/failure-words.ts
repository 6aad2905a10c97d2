import {
  KeyExpiredError,
  PasswordChangeRequiredError,
  RecentAuthenticationRequiredError,
  StepUpRequiredError,
} from '@svc/auth'
import {
  ForbiddenError,
  HttpError,
  TooManyRequestsError,
  UnauthorizedError,
} from '@svc/core/client'

const unanswered = 'The API does not answer right now. Try again in a moment.'

/** What a person can do about a failure that is not of what they entered. */
export function failureWords(error: unknown) {
  if (error instanceof TooManyRequestsError) {
    return `Too many tries. Try again in ${waitingTime(error.retryAfter)}.`
  }
  if (error instanceof UnauthorizedError || error instanceof KeyExpiredError) {
    return 'You are no longer signed in here. Reload the page to sign in again.'
  }
  if (error instanceof StepUpRequiredError) {
    return 'Nothing was done. Confirm your second step first.'
  }
  if (error instanceof RecentAuthenticationRequiredError) {
    return 'Nothing was done. Confirm that it is you first, or sign in again.'
  }
  if (error instanceof PasswordChangeRequiredError) {
    return 'Change your password first, under Security.'
  }
  // The proxy refuses a call of a page that it does not know for its own, and has mended that as it did.
  if (error instanceof ForbiddenError) return 'This page was open for too long. Try again.'
  if (!(error instanceof HttpError) || error.status === 503) return unanswered
  return `The API refused: ${error.message}`
}

function waitingTime(seconds: number) {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}
