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
    return 'This email has an account already. Sign in to it instead.'
  }
  if (error instanceof InvalidVerificationTokenError) {
    return 'That took too long. Begin again with your email.'
  }
  if (error instanceof RegistrationRejectedError) {
    return `This account may not be opened: ${error.message}`
  }
  return failureWords(error)
}
