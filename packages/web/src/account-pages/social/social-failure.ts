import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  SocialAccountAlreadyLinkedError,
  SocialAccountNotLinkedError,
  WebSignInUnsupportedError,
} from '@svc/auth'
import { NotFoundError } from '@svc/core/client'
import { factorFailure } from '../failures/factor-failure.ts'
import type { Say } from '../words/say.ts'
import { leaveFailure } from './leave-failure.ts'

/** What a person can do about linked accounts. */
export function linkFailure(say: Say, error: unknown) {
  if (error instanceof LastRecoveryCredentialError) {
    return say(
      'This is your last way to sign in. Set a password, add a passkey or add an email first.',
    )
  }
  if (error instanceof SocialAccountAlreadyLinkedError) {
    return say('An account of this service is already linked. Reload the page to see it.')
  }
  if (error instanceof SocialAccountNotLinkedError) {
    return say('This account is no longer linked. Reload the page to see your linked accounts.')
  }
  if (error instanceof InvalidCredentialsError) return say('The password is wrong.')
  if (error instanceof NotFoundError || error instanceof WebSignInUnsupportedError) {
    return leaveFailure(say, error)
  }
  return factorFailure(say, error)
}
