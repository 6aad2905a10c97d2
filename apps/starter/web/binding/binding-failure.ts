import { PasskeyNotFoundError, SessionRenewalRefusedError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { passkeyFailure } from '../passkeys/passkey-failure.ts'
import { refusedAccount } from '../sign-in/sign-in-failure.ts'

/** Whether only signing in anew is left. */
export function isRenewalOver(error: unknown) {
  return error instanceof SessionRenewalRefusedError || error instanceof UnauthorizedError
}

/** What a person can do about a session that did not go on. */
export function renewalFailure(error: unknown) {
  return refusedAccount(error) ?? passkeyFailure(error)
}

/** What a person can do about a session that was not bound, or stayed so. */
export function bindingFailure(error: unknown) {
  if (error instanceof PasskeyNotFoundError) return 'This account has no passkey. Add one first.'
  return passkeyFailure(error)
}
