import { WeakPasswordError } from '@svc/auth'
import { failureWords } from '../failures/failure-words.ts'
import { refusedAccount } from '../failures/sign-in-failure.ts'
import { weakPasswordWords } from '../ui/password-rules.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about a password that was not set. */
export function resetFailure(say: Say, error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(say, error)
  return refusedAccount(say, error) ?? failureWords(say, error)
}
