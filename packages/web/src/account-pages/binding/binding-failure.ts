import { PasskeyNotFoundError, SessionRenewalRefusedError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'
import { passkeyFailure } from '../failures/passkey-failure.ts'
import { refusedAccount } from '../failures/sign-in-failure.tsx'
import type { Say } from '../words/say.ts'

/** Whether the user can only sign in again. */
export function isRenewalOver(error: unknown) {
  return error instanceof SessionRenewalRefusedError || error instanceof UnauthorizedError
}

/** What a person can do about a session that was not renewed. */
export function renewalFailure(say: Say, error: unknown) {
  return refusedAccount(say, error) ?? passkeyFailure(say, error)
}

/** What a person can do if a session was not bound, or its binding was not ended. */
export function bindingFailure(say: Say, error: unknown) {
  if (error instanceof PasskeyNotFoundError)
    return say('This account has no passkey. Add one first.')
  return passkeyFailure(say, error)
}
