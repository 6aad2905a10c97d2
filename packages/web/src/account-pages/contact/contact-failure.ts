import {
  AccountAlreadyExistsError,
  InvalidCredentialsError,
  VerificationTokenTargetMismatchError,
} from '@svc/auth'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import type { Say } from '../words/say.ts'

/** What a person can do about an address that was not changed. */
export function changeFailure(say: Say, error: unknown) {
  if (error instanceof AccountAlreadyExistsError) {
    return say('Another account uses this email. Enter another one.')
  }
  if (error instanceof InvalidCredentialsError) return say('The current password is wrong.')
  if (error instanceof VerificationTokenTargetMismatchError) {
    return say('This code was sent to another address. Start again.')
  }
  return codeFailure(say, error)
}
