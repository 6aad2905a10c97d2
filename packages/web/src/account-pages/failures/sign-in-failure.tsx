import { isRefusedWith } from '../../page/client.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/button.tsx'
import type { Say } from '../words/say.ts'
import { failureWords } from './failure-words.ts'

/** What a person can do about a sign-in with a password that failed. */
export function signInFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'InvalidCredentialsError', 'ValidationError')) {
    return say('The email or the password is wrong.')
  }
  return refusedAccount(say, error) ?? failureWords(say, error)
}

/**
 * The same for a code. It proves that the user owns the address, so they may learn whether it has
 * an account.
 */
export function codeSignInFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'InvalidCredentialsError')) {
    return say('No account has this email. Create one first.')
  }
  return refusedAccount(say, error) ?? codeFailure(say, error)
}

/** What a person can do about a code that was not sent, or was refused. */
export function codeFailure(say: Say, error: unknown) {
  if (isRefusedWith(error, 'ValidationError')) return say('Enter a valid email address.')
  if (isRefusedWith(error, 'InvalidVerificationCodeError')) {
    return say('This code is wrong or has expired. Request a new one.')
  }
  if (isRefusedWith(error, 'InvalidVerificationTokenError')) {
    return say('That took too long. Send another code.')
  }
  return failureWords(say, error)
}

/** Why an account can't sign in; null for another failure. */
export function refusedAccount(say: Say, error: unknown) {
  if (isRefusedWith(error, 'AccountDisabledError')) return say('This account is suspended.')
  if (isRefusedWith(error, 'AccountPendingDeletionError')) {
    return say('This account is going to be deleted.')
  }
  return null
}

/** A link for users whose account waits for its deletion. */
export function RestoreInstead({ of: error }: { of: unknown }) {
  const paths = usePaths()
  const say = useSay()
  if (!isRefusedWith(error, 'AccountPendingDeletionError')) return null
  return (
    <p className="svc-small">
      {say.nodes('You can still restore it: <link>Restore the account</link>', {
        link: (text) => <TextLink href={paths.restore}>{text}</TextLink>,
      })}
    </p>
  )
}
