'use client'

import { usePaths, useSay } from '../provider/account-provider.tsx'
import { PasskeySignIn } from '../sign-in/passkey-sign-in.tsx'
import { SignInWays } from '../sign-in/sign-in-ways.tsx'
import { SocialButtons } from '../social/social-buttons.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'

interface Props extends EntranceSlots {
  way: 'password' | 'code'
  returnTo: string
  /** The session on this device has ended. */
  hasEnded: boolean
  /** The ids of those that browsers can sign in with. */
  providers: readonly string[]
}

/** The ways in. Each leads to where the user was going. */
export function SignInView({ way, returnTo, hasEnded, providers, ...slots }: Props) {
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
