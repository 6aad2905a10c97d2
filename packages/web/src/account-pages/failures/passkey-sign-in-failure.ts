import { HttpError } from '@svc/core/client'
import { isRefusedWith } from '../../page/client.ts'
import type { Say } from '../words/say.ts'
import { failureWords } from './failure-words.ts'
import { refusedAccount } from './sign-in-failure.tsx'

/** What a person can do about a sign-in with a passkey that failed. */
export function passkeySignInFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'PasskeyVerificationError', 'InvalidCredentialsError')) {
    return say('This passkey doesn’t belong to an account here. Sign in another way.')
  }
  return refusedAccount(say, error) ?? ceremonyFailure(say, error) ?? failureWords(say, error)
}

/** Why a passkey did not answer in time, or not at all; null for another failure. */
export function ceremonyFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'PasskeyChallengeError')) return say('That took too long. Try again.')
  return isOfBrowser(error)
    ? say('Your browser could not use a passkey here. Try again, or use another browser.')
    : null
}

// Errors that WebAuthn itself throws (Level 3, 5.1.3 and 5.1.4), besides those of a user who
// declines.
const names = new Set([
  'SecurityError',
  'NotSupportedError',
  'ConstraintError',
  'InvalidStateError',
  'UnknownError',
])

function isOfBrowser(error: unknown) {
  return error instanceof Error && !(error instanceof HttpError) && names.has(error.name)
}

/** A browser says neither whether its dialog was closed nor whether it found no passkey. */
export function noPasskeyUsed(say: Say) {
  return say('No passkey was used.')
}
