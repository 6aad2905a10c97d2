import {
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaUnavailableError,
  MfaVerificationFailedError,
} from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import type { Say } from '../words/say.ts'
import { failureWords } from './failure-words.ts'
import { refusedAccount } from './sign-in-failure.tsx'

/** The server stores no second factors. */
const unavailable =
  'This server has no two-step sign-in. Its operator must configure encryption keys first.'

/** Whether no sign-in waits for a second step in this browser. */
export function isSignInOver(error: unknown) {
  return error instanceof UnauthorizedError || error instanceof InvalidCredentialsError
}

/** What a person can do about a second step that did not finish a sign-in. */
export function signInFactorFailure(say: Say, error: unknown) {
  if (isSignInOver(error)) return say('Your sign-in has expired. Sign in again.')
  // The API refuses a wrong code in the same way as a sign-in that had five of them or waited too
  // long.
  if (error instanceof MfaVerificationFailedError) {
    return say(
      'That was wrong. Check it and try again. A sign-in ends after five tries or ten minutes. Then start over.',
    )
  }
  return refusedAccount(say, error) ?? factorFailure(say, error)
}

/** The same for a signed-in user who is asked for it again. */
export function stepUpFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) return say('The password is wrong.')
  if (error instanceof InvalidVerificationCodeError) {
    return say('This code is wrong or has expired. Request a new one.')
  }
  if (error instanceof MfaVerificationFailedError)
    return say('That was wrong. Check it and try again.')
  return factorFailure(say, error)
}

/** The same for the first code of an authenticator app. */
export function setupFailure(say: Say, error: unknown) {
  if (error instanceof MfaVerificationFailedError) {
    return say(
      'This code is wrong. Enter the code that the app shows now, and check that your phone’s clock is right.',
    )
  }
  if (error instanceof MfaNotEnrolledError)
    return say('That took too long. Cancel, then start again.')
  return factorFailure(say, error)
}

/** What a person can do about any other failure of the second step. */
export function factorFailure(say: Say, error: unknown) {
  if (error instanceof MfaUnavailableError) return say(unavailable)
  if (error instanceof MfaAlreadyEnrolledError) {
    return say('This account already has an authenticator app. Reload the page to see it.')
  }
  if (error instanceof MfaNotEnrolledError) {
    return say('This account has no second step of this kind. Use another one.')
  }
  return failureWords(say, error)
}
