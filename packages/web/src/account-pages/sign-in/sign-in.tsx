'use client'

import { type ReactNode, useState } from 'react'
import { usePasskeySignIn } from '../../account/account.ts'
import { noPasskeyUsed, passkeySignInFailure } from '../failures/passkey-sign-in-failure.ts'
import { RestoreInstead } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { SocialButtons } from '../social/social-buttons.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance, Or } from '../ui/entrance.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { SignInWays } from './sign-in-ways.tsx'
import { useSignedIn } from './use-signed-in.ts'

interface SignInViewProps extends EntranceSlots {
  way: 'password' | 'code'
  returnTo: string
  /** The session on this device has ended. */
  hasEnded: boolean
  /** The ids of the providers that browsers can sign in with. */
  providers: readonly string[]
}

/** The ways to sign in. Each leads to where the user was going. */
export function SignInView({ way, returnTo, hasEnded, providers, ...slots }: SignInViewProps) {
  const paths = usePaths()
  const say = useSay()
  const addresses = {
    password: withReturnTo(paths.signIn, returnTo),
    code: withReturnTo(`${paths.signIn}?with=code`, returnTo),
  }
  return (
    <Entrance title={say('Sign in')} notes={<Notes returnTo={returnTo} />} slots={slots}>
      {hasEnded && (
        <p role="status" className="svc-small svc-below-5">
          {say('You were signed out on this device.')}
        </p>
      )}
      <PasskeySignIn returnTo={returnTo}>
        {providers.length > 0 && <SocialButtons providers={providers} returnTo={returnTo} />}
      </PasskeySignIn>
      <LinkTabs
        label={say('Ways to sign in')}
        current={addresses[way]}
        tabs={[
          { href: addresses.password, label: say('With your password') },
          { href: addresses.code, label: say('With a code by email') },
        ]}
      />
      <div className="svc-above-6">
        <SignInWays way={way} returnTo={returnTo} />
      </div>
    </Entrance>
  )
}

function Notes({ returnTo }: { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <>
      <p>
        {say.nodes('New here? <link>Create an account</link>', {
          link: (text) => <TextLink href={withReturnTo(paths.register, returnTo)}>{text}</TextLink>,
        })}
      </p>
      <p>
        {say.nodes('No keyboard, or no password? <link>Sign in with another device</link>', {
          link: (text) => (
            <TextLink href={withReturnTo(paths.linkDevice, returnTo)}>{text}</TextLink>
          ),
        })}
      </p>
      <p>
        {say(
          'When you sign in, this device gets its own key. Under Account you see all your devices, and can sign any of them out.',
        )}
      </p>
    </>
  )
}

interface PasskeySignInProps {
  returnTo: string
  /** Other ways to sign in, with one click. */
  children: ReactNode
}

/**
 * Signing in with a passkey: by a button, or by the browser's suggestion in the field for the
 * email.
 */
function PasskeySignIn({ returnTo, children }: PasskeySignInProps) {
  const say = useSay()
  const { isSupported, signingIn } = usePasskeySignIn({
    onAnswer: useSignedIn(returnTo),
    conditional: true,
  })
  const [isUnused, setUnused] = useState(false)

  async function signIn() {
    setUnused(false)
    setUnused((await signingIn.run()) === false)
  }

  if (isSupported === false) {
    return (
      <div className="svc-stack svc-stack-3 svc-below-5">
        <p className="svc-note">{say('This browser can’t use passkeys. Sign in another way.')}</p>
        {children}
        <Or />
      </div>
    )
  }
  const { error, isRunning } = signingIn
  return (
    <div className="svc-stack svc-stack-3 svc-below-5">
      <div className="svc-grid">
        <Button isBusy={isRunning} onClick={() => void signIn()}>
          {isRunning ? say('Waiting for your passkey…') : say('Sign in with a passkey')}
        </Button>
        <div className="svc-outcome-box">
          <Outcome
            problem={error ? passkeySignInFailure(say, error) : ''}
            done={isUnused ? noPasskeyUsed(say) : ''}
          />
        </div>
      </div>
      <RestoreInstead of={error} />
      {children}
      <Or />
    </div>
  )
}
