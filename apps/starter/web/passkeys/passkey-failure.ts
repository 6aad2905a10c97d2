import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  PasskeyAlreadyRegisteredError,
  PasskeyChallengeError,
  PasskeyNotFoundError,
  PasskeyVerificationError,
} from '@svc/auth'
import { HttpError } from '@svc/core/client'
import { factorFailure } from '../second-factor/factor-failure.ts'
import { refusedAccount } from '../sign-in/sign-in-failure.ts'

/** What a person can do about a sign-in with a passkey that failed. */
export function passkeySignInFailure(error: unknown) {
  if (error instanceof PasskeyVerificationError || error instanceof InvalidCredentialsError) {
    return 'This passkey opens no account here, or not any more. Sign in another way.'
  }
  return refusedAccount(error) ?? passkeyFailure(error)
}

/** What a person can do about whatever else failed that has to do with passkeys. */
export function passkeyFailure(error: unknown) {
  if (error instanceof PasskeyAlreadyRegisteredError) {
    return 'This device or security key has a passkey for this account already.'
  }
  if (error instanceof LastRecoveryCredentialError) {
    return 'It is the last way into your account. Set a password or give an email first.'
  }
  if (error instanceof InvalidCredentialsError) return 'The password is wrong.'
  if (error instanceof PasskeyChallengeError) return 'That took too long. Try again.'
  if (error instanceof PasskeyVerificationError) {
    return 'The passkey was not taken. Try again, or another one.'
  }
  if (error instanceof PasskeyNotFoundError) {
    return 'It is not among your passkeys. Reload the page to see which are.'
  }
  return isOfBrowser(error) ? ofBrowser : factorFailure(error)
}

const ofBrowser = 'Your browser could not use a passkey here. Try again, or in another browser.'

// What WebAuthn throws of its own (Level 3, 5.1.3 and 5.1.4), besides what stands for somebody’s no.
const names = new Set(['SecurityError', 'NotSupportedError', 'ConstraintError', 'UnknownError'])

function isOfBrowser(error: unknown) {
  return error instanceof Error && !(error instanceof HttpError) && names.has(error.name)
}
