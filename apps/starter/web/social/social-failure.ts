import {
  InvalidCredentialsError,
  LastRecoveryCredentialError,
  SocialAccountAlreadyLinkedError,
  SocialAccountNotLinkedError,
  WebSignInUnsupportedError,
} from '@svc/auth'
import { NotFoundError } from '@svc/core/client'
import { factorFailure } from '../second-factor/factor-failure.ts'
import { failureWords } from '../ui/failure-words.ts'

/** What a person can do where the way to a provider did not open. */
export function leaveFailure(error: unknown) {
  if (error instanceof NotFoundError || error instanceof WebSignInUnsupportedError) {
    return 'This service signs nobody in here any more. Reload the page to see which do.'
  }
  return failureWords(error)
}

/** The same of the accounts that are linked. */
export function linkFailure(error: unknown) {
  if (error instanceof LastRecoveryCredentialError) {
    return 'It is the last way into your account. Set a password, add a passkey or give an email first.'
  }
  if (error instanceof SocialAccountAlreadyLinkedError) {
    return 'An account of this service is linked already. Reload the page to see it.'
  }
  if (error instanceof SocialAccountNotLinkedError) {
    return 'It is not linked any more. Reload the page to see what is.'
  }
  if (error instanceof InvalidCredentialsError) return 'The password is wrong.'
  if (error instanceof NotFoundError || error instanceof WebSignInUnsupportedError) {
    return leaveFailure(error)
  }
  return factorFailure(error)
}
