import { isRefusedWith } from '../../page/client.ts'
import type { Say } from '../words/say.ts'
import { factorFailure } from './factor-failure.ts'
import { ceremonyFailure } from './passkey-sign-in-failure.ts'

/** What a person can do about a failure of a passkey, other than at sign-in. */
export function passkeyFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'PasskeyAlreadyRegisteredError')) {
    return say('This device or security key already has a passkey for this account.')
  }
  if (isRefusedWith(error, 'LastRecoveryCredentialError')) {
    return say('This is your last way to sign in. Set a password or add an email first.')
  }
  if (isRefusedWith(error, 'InvalidCredentialsError')) return say('The password is wrong.')
  if (isRefusedWith(error, 'PasskeyVerificationError')) {
    return say('The passkey was not accepted. Try again, or use another one.')
  }
  if (isRefusedWith(error, 'PasskeyNotFoundError')) {
    return say('This passkey is not in your list any more. Reload the page to see your passkeys.')
  }
  return ceremonyFailure(say, error) ?? factorFailure(say, error)
}
