import {
  InvalidCredentialsError,
  LastSuperadminError,
  RecentAuthenticationRequiredError,
} from '@svc/auth'
import { codeFailure, refusedAccount } from '../sign-in/sign-in-failure.ts'

/** What a person can do about an account that was not closed. */
export function deletionFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) return 'The password is wrong.'
  if (error instanceof RecentAuthenticationRequiredError) {
    return 'You signed in a while ago. Sign out, sign in again, then delete the account.'
  }
  if (error instanceof LastSuperadminError) {
    return 'You are the last super administrator. Give the role to another account first.'
  }
  return codeFailure(error)
}

/** What a person can do about an account that was not restored. */
export function restoreFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) {
    return 'The email or the password is wrong, or the account was deleted permanently.'
  }
  return refusedAccount(error) ?? codeFailure(error)
}

/** The same of a code, which proves whose the address is. */
export function codeRestoreFailure(error: unknown) {
  if (error instanceof InvalidCredentialsError) {
    return 'No account has this email, or it was deleted permanently.'
  }
  return restoreFailure(error)
}
