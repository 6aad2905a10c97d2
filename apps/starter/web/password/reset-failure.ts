import { WeakPasswordError } from '@svc/auth'
import { refusedAccount } from '../sign-in/sign-in-failure.ts'
import { failureWords } from '../ui/failure-words.ts'
import { weakPasswordWords } from '../ui/password-rules.ts'

/** What a person can do about a password that was not set anew. */
export function resetFailure(error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(error)
  return refusedAccount(error) ?? failureWords(error)
}
