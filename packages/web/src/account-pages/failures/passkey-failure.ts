import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  PasskeyAlreadyRegisteredError,
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from '@svc/auth'
import { HttpError } from '@svc/core/client'
import type { Say } from '../words/say.ts'
import { factorFailure } from './factor-failure.ts'
import { refusedAccount } from './sign-in-failure.tsx'

/** What a person can do about a sign-in with a passkey that failed. */
export function passkeySignInFailure(say: Say, error: unknown) {
  if (error instanceof PasskeyVerificationError || error instanceof InvalidCredentialsError) {
    return say('This passkey doesn’t belong to an account here. Sign in another way.')
  }
  return refusedAccount(say, error) ?? passkeyFailure(say, error)
}

/** What a person can do about any other failure of a passkey. */
export function passkeyFailure(say: Say, error: unknown) {
  if (error instanceof PasskeyAlreadyRegisteredError) {
    return say('This device or security key already has a passkey for this account.')
  }
  if (error instanceof LastRecoveryCredentialError) {
    return say('This is your last way to sign in. Set a password or add an email first.')
  }
  if (error instanceof InvalidCredentialsError) return say('The password is wrong.')
  if (error instanceof PasskeyChallengeError) return say('That took too long. Try again.')
  if (error instanceof PasskeyVerificationError) {
    return say('The passkey was not accepted. Try again, or use another one.')
  }
  if (error instanceof PasskeyNotFoundError) {
    return say('This passkey is not in your list any more. Reload the page to see your passkeys.')
  }
  return isOfBrowser(error)
    ? say('Your browser could not use a passkey here. Try again, or use another browser.')
    : factorFailure(say, error)
}

// Errors that WebAuthn itself throws (Level 3, 5.1.3 and 5.1.4), besides those of a user who
// declines.
const names = new Set(['SecurityError', 'NotSupportedError', 'ConstraintError', 'UnknownError'])

function isOfBrowser(error: unknown) {
  return error instanceof Error && !(error instanceof HttpError) && names.has(error.name)
}

/** A browser says neither whether its dialog was closed nor whether it found no passkey. */
export function noPasskeyUsed(say: Say) {
  return say('No passkey was used.')
}
