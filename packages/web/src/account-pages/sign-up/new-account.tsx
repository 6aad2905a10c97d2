import {
  AccountAlreadyExistsError,
  InvalidVerificationTokenError,
  RegistrationRejectedError,
  WeakPasswordError,
} from '@svc/auth'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/button.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { weakPasswordWords } from '../ui/set-password.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import type { Say } from '../words/say.ts'

export function RegisterNotes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('Already have an account? <link>Sign in</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say(
          'This device is signed in at once, with its own key. In your list of devices, it has the name of its browser.',
        )}
      </p>
    </>
  )
}

/** A link to sign in, for users who have an account already. */
export function SignInInstead({ of: error, returnTo }: { of: unknown; returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  if (!(error instanceof AccountAlreadyExistsError)) return null
  return (
    <p className="svc-small">
      <TextLink href={withReturnTo(paths.signIn, returnTo)}>{say('Sign in instead')}</TextLink>
    </p>
  )
}

/** What a person can do about an account that was not opened. */
export function registerFailure(say: Say, error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(say, error)
  if (error instanceof AccountAlreadyExistsError) {
    return say('This email already has an account.')
  }
  if (error instanceof InvalidVerificationTokenError) {
    return say('That took too long. Start again with your email.')
  }
  if (error instanceof RegistrationRejectedError) {
    const message = say.fromApi(error.message)
    return say('This account was not created: {message}', { message })
  }
  return failureWords(say, error)
}

interface Props {
  way: 'code' | 'link'
  returnTo: string
}

/** Two ways to prove that an address is one's own. */
export function SignUpWays({ way, returnTo }: Props) {
  const paths = usePaths()
  const say = useSay()
  const addresses = {
    code: withReturnTo(paths.register, returnTo),
    link: withReturnTo(paths.signUp, returnTo),
  }
  return (
    <LinkTabs
      label={say('Ways to create an account')}
      current={addresses[way]}
      tabs={[
        { href: addresses.code, label: say('With a code by email') },
        { href: addresses.link, label: say('With a link by email') },
      ]}
    />
  )
}
