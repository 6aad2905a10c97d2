import {
  AccountDisabledError,
  AccountPendingDeletionError,
  InvalidCredentialsError,
  InvalidVerificationCodeError,
  InvalidVerificationTokenError,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../ui/failure-words.ts'

/** What a person can do about a sign-in with a password that failed. */
export function signInFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError || error instanceof ValidationError) {
    return 'The email or the password is wrong.'
  }
  return refusedAccount(error) ?? failureWords(error)
}

/** The same of a code, which proves who asks: they may know whether they have an account. */
export function codeSignInFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError)
    return 'No account has this email. Create one first.'
  return refusedAccount(error) ?? codeFailure(error)
}

/** What a person can do about a code that was not sent, or not taken. */
export function codeFailure(error: unknown) {
  if (error instanceof ValidationError) return 'Enter a valid email address.'
  if (error instanceof InvalidVerificationCodeError) {
    return 'This code is wrong or has expired. Request a new one.'
  }
  if (error instanceof InvalidVerificationTokenError) {
    return 'That took too long. Send another code.'
  }
  return failureWords(error)
}

/** What is said of an account that nobody is let into; null for whatever else went wrong. */
export function refusedAccount(error: unknown) {
  if (error instanceof AccountDisabledError) return 'This account is suspended.'
  if (error instanceof AccountPendingDeletionError) return 'This account is going to be deleted.'
  return null
}
