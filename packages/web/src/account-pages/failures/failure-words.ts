import { HttpError } from '@svc/core/client'
import { isRefusedWith } from '../../page/client.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about a failure that isn't caused by their input. */
export function failureWords(say: Say, error: unknown) {
  if (isRefusedWith(error, 'TooManyRequestsError')) {
    return say('Too many tries. Try again in {time}.', {
      time: waitingTime(say, error.retryAfter),
    })
  }
  if (isRefusedWith(error, 'UnauthorizedError', 'KeyExpiredError')) {
    return say('You are no longer signed in here. Reload the page to sign in again.')
  }
  if (isRefusedWith(error, 'StepUpRequiredError')) {
    return say('Nothing was done. Confirm your second step first.')
  }
  if (isRefusedWith(error, 'RecentAuthenticationRequiredError')) {
    return say('Nothing was done. Confirm that it is you first, or sign in again.')
  }
  if (isRefusedWith(error, 'PasswordChangeRequiredError')) {
    return say('Change your password first, under Security.')
  }
  // The proxy refuses a call of a page that it does not recognise as its own, and has given the
  // page a new token with the refusal.
  if (isRefusedWith(error, 'ForbiddenError')) {
    return say('This page was open for too long. Try again.')
  }
  if (!(error instanceof HttpError) || error.status === 503)
    return say('The server does not answer right now. Try again in a moment.')
  return say('That was refused: {message}', { message: say.fromApi(error.message) })
}

function waitingTime(say: Say, seconds: number) {
  if (seconds > 90) return say('{count} minutes', { count: Math.ceil(seconds / 60) })
  return seconds === 1 ? say('1 second') : say('{seconds} seconds', { seconds })
}
