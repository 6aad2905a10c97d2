import {
  AccountAlreadyExistsError,
  InvalidCredentialsError,
  VerificationTokenTargetMismatchError,
} from '@svc/auth'
import { codeFailure } from '../sign-in/sign-in-failure.ts'

/** What a person can do about an address that was not changed. */
export function changeFailure(error: unknown) {
  if (error instanceof AccountAlreadyExistsError) {
    return 'Another account has this email. Use another address.'
  }
  if (error instanceof InvalidCredentialsError) return 'The current password is wrong.'
  if (error instanceof VerificationTokenTargetMismatchError) {
    return 'The code went to another address. Begin again.'
  }
  return codeFailure(error)
}
