import { InvalidCredentialsError, WeakPasswordError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { failureWords } from '../failures/failure-words.ts'
import { passwordRule, weakPasswordWords } from '../ui/password-rules.ts'
import type { Say } from '../words/say.ts'

/** What a person can do about a password that was not changed. */
export function passwordFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) return say('The current password is wrong.')
  if (error instanceof WeakPasswordError)
    return say('The new password is not accepted. {reasons}', {
      reasons: weakPasswordWords(say, error),
    })
  if (error instanceof ValidationError)
    return say('Choose another password. {passwordRule}', { passwordRule: passwordRule(say) })
  return failureWords(say, error)
}
