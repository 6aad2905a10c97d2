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
  'This server has no two-step sign-in: whoever runs it has to give it encryption keys first.'

/** Whether nobody waits for a second step in this browser any more. */
export function isSignInOver(error: unknown) {
  return error instanceof UnauthorizedError || error instanceof InvalidCredentialsError
}

/** What a person can do about a second step that did not finish a sign-in. */
export function signInFactorFailure(error: unknown) {
  if (isSignInOver(error)) return 'No sign-in waits here any more. Sign in again.'
  // One refusal stands for a wrong code and for a sign-in that has had five of them or has waited too long.
  if (error instanceof MfaVerificationFailedError) {
    return 'That was not it. Look again, and if it goes on like this, start over: after five tries or ten minutes a sign-in is over.'
  }
  return refusedAccount(error) ?? factorFailure(error)
}

/** The same where it is asked for once more, of somebody who is signed in. */
export function stepUpFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) return 'The password is wrong.'
  if (error instanceof InvalidVerificationCodeError) {
    return 'This code is wrong or has expired. Request a new one.'
  }
  if (error instanceof MfaVerificationFailedError) return 'That was not it. Look again.'
  return factorFailure(error)
}

/** The same of the first code of an authenticator app. */
export function setupFailure(error: unknown) {
  if (error instanceof MfaVerificationFailedError) {
    return 'This is not the code. Take the one that the app shows now, and see that your phone’s clock is right.'
  }
  if (error instanceof MfaNotEnrolledError) return 'That took too long. Cancel, and begin again.'
  return factorFailure(error)
}

/** What a person can do about whatever else has to do with the second step. */
export function factorFailure(error: unknown) {
  if (error instanceof MfaUnavailableError) return unavailable
  if (error instanceof MfaAlreadyEnrolledError) {
    return 'This account has an authenticator app already. Reload the page to see it.'
  }
  if (error instanceof MfaNotEnrolledError) {
    return 'This account has no second step of this kind. Use another one.'
  }
  return failureWords(error)
}
