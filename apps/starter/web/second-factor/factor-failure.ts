import {
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  MfaAlreadyEnrolledError,
  MfaNotEnrolledError,
  MfaUnavailableError,
  MfaVerificationFailedError,
} from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { refusedAccount } from '../sign-in/sign-in-failure.ts'
import { failureWords } from '../ui/failure-words.ts'

/** The server keeps no second factors. */
const unavailable =
  'This server has no two-step sign-in. Its operator must configure encryption keys first.'

/** Whether nobody waits for a second step in this browser any more. */
export function isSignInOver(error: unknown) {
  return error instanceof UnauthorizedError || error instanceof InvalidCredentialsError
}

/** What a person can do about a second step that did not finish a sign-in. */
export function signInFactorFailure(error: unknown) {
  if (isSignInOver(error)) return 'Your sign-in has expired. Sign in again.'
  // One refusal stands for a wrong code and for a sign-in that has had five of them or has waited too long.
  if (error instanceof MfaVerificationFailedError) {
    return 'That was wrong. Check it and try again. A sign-in ends after five tries or ten minutes. Then start over.'
  }
  return refusedAccount(error) ?? factorFailure(error)
}

/** The same where it is asked for once more, of somebody who is signed in. */
export function stepUpFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) return 'The password is wrong.'
  if (error instanceof InvalidVerificationCodeError) {
    return 'This code is wrong or has expired. Request a new one.'
  }
  if (error instanceof MfaVerificationFailedError) return 'That was wrong. Check it and try again.'
  return factorFailure(error)
}

/** The same of the first code of an authenticator app. */
export function setupFailure(error: unknown) {
  if (error instanceof MfaVerificationFailedError) {
    return 'This code is wrong. Enter the code that the app shows now, and check that your phone’s clock is right.'
  }
  if (error instanceof MfaNotEnrolledError) return 'That took too long. Cancel, then start again.'
  return factorFailure(error)
}

/** What a person can do about whatever else has to do with the second step. */
export function factorFailure(error: unknown) {
  if (error instanceof MfaUnavailableError) return unavailable
  if (error instanceof MfaAlreadyEnrolledError) {
    return 'This account already has an authenticator app. Reload the page to see it.'
  }
  if (error instanceof MfaNotEnrolledError) {
    return 'This account has no second step of this kind. Use another one.'
  }
  return failureWords(error)
}
