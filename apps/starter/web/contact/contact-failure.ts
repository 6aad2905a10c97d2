import {
  AccountAlreadyExistsError,
  InvalidCredentialsError,
  VerificationTokenTargetMismatchError,
} from '@svc/auth'
import { codeFailure } from '../sign-in/sign-in-failure.ts'

/** What a person can do about an address that was not changed. */
export function changeFailure(error: unknown) {
  if (error instanceof AccountAlreadyExistsError) {
    return 'Another account uses this email. Enter another one.'
  }
  if (error instanceof InvalidCredentialsError) return 'The current password is wrong.'
  if (error instanceof VerificationTokenTargetMismatchError) {
    return 'This code was sent to another address. Start again.'
  }
  return codeFailure(error)
}
