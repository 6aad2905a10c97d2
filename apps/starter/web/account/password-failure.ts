import { InvalidCredentialsError, WeakPasswordError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../ui/failure-words.ts'
import { passwordRule, weakPasswordWords } from '../ui/password-rules.ts'

/** What a person can do about a password that was not changed. */
export function passwordFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) return 'The current password is wrong.'
  if (error instanceof WeakPasswordError)
    return `The new password is not accepted. ${weakPasswordWords(error)}`
  if (error instanceof ValidationError) return `Choose another password. ${passwordRule}`
  return failureWords(error)
}
