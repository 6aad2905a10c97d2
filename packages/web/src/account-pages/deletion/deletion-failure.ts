import {
  InvalidCredentialsError,
  LastSuperadminError,
  RecentAuthenticationRequiredError,
} from '@svc/auth'
import { codeFailure, refusedAccount } from '../failures/sign-in-failure.tsx'
import type { Say } from '../words/say.ts'

/** What a person can do about an account that was not closed. */
export function deletionFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) return say('The password is wrong.')
  if (error instanceof RecentAuthenticationRequiredError) {
    return say('You signed in a while ago. Sign out, sign in again, then delete the account.')
  }
  if (error instanceof LastSuperadminError) {
    return say('You are the last super administrator. Give the role to another account first.')
  }
  return codeFailure(say, error)
}

/** What a person can do about an account that was not restored. */
export function restoreFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) {
    return say('The email or the password is wrong, or the account was deleted permanently.')
  }
  return refusedAccount(say, error) ?? codeFailure(say, error)
}

/** The same for a code, which proves whose address it is. */
export function codeRestoreFailure(say: Say, error: unknown) {
  if (error instanceof InvalidCredentialsError) {
    return say('No account has this email, or it was deleted permanently.')
  }
  return restoreFailure(say, error)
}
