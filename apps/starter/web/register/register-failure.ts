import {
  AccountAlreadyExistsError,
  InvalidVerificationTokenError,
  RegistrationRejectedError,
  WeakPasswordError,
} from '@svc/auth'
import { failureWords } from '../ui/failure-words.ts'
import { weakPasswordWords } from '../ui/password-rules.ts'

/** What a person can do about an account that was not opened. */
export function registerFailure(error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(error)
  if (error instanceof AccountAlreadyExistsError) {
    return 'This email already has an account.'
  }
  if (error instanceof InvalidVerificationTokenError) {
    return 'That took too long. Start again with your email.'
  }
  if (error instanceof RegistrationRejectedError) {
    return `This account was not created: ${error.message}`
  }
  return failureWords(error)
}
