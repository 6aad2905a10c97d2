import {
  AccountAlreadyExistsError,
  InvalidVerificationTokenError,
  RegistrationRejectedError,
  WeakPasswordError,
} from '@svc/auth'
import { failureWords } from '../failures/failure-words.ts'
import { weakPasswordWords } from '../ui/password-rules.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about an account that was not opened. */
export function registerFailure(say: Say, error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(say, error)
  if (error instanceof AccountAlreadyExistsError) {
    return say('This email already has an account.')
  }
  if (error instanceof InvalidVerificationTokenError) {
    return say('That took too long. Start again with your email.')
  }
  if (error instanceof RegistrationRejectedError) {
    return say('This account was not created: {message}', { message: error.message })
  }
  return failureWords(say, error)
}
