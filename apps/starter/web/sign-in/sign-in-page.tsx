import { SocialButtons } from '../social/social-buttons.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { Entrance } from './entrance.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { withReturnTo } from './sign-in-address.ts'
import { SignInWays } from './sign-in-ways.tsx'

interface Props {
  way: 'password' | 'code'
  returnTo: string
  /** Whoever was signed in on this device is so no more. */
  hasEnded: boolean
  /** The ids of those that browsers can sign in with. */
  providers: readonly string[]
}

/** The ways in. Each knows where somebody was going. */
export function SignInPage({ way, returnTo, hasEnded, providers }: Props) {
  const addresses = {
    password: withReturnTo('/login', returnTo),
    code: withReturnTo('/login?with=code', returnTo),
  }
  return (
    <Entrance title="Sign in" notes={<Notes returnTo={returnTo} />}>
      {hasEnded && (
        <p role="status" className="mb-5 text-sm">
          You were signed out on this device.
        </p>
      )}
      <PasskeySignIn returnTo={returnTo}>
        {providers.length > 0 && <SocialButtons providers={providers} returnTo={returnTo} />}
      </PasskeySignIn>
      <LinkTabs
        label="Ways to sign in"
        current={addresses[way]}
        tabs={[
          { href: addresses.password, label: 'With your password' },
          { href: addresses.code, label: 'With a code by email' },
        ]}
      />
      <div className="mt-6">
        <SignInWays way={way} returnTo={returnTo} />
      </div>
    </Entrance>
  )
}

function Notes({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p>
        New here? <TextLink href={withReturnTo('/register', returnTo)}>Create an account</TextLink>
      </p>
      <p>
        No keyboard, or no password?{' '}
        <TextLink href={withReturnTo('/link', returnTo)}>Sign in with another device</TextLink>
      </p>
      <p>
        <code className="text-ink">npm start</code> printed an email and a password for your first
        sign-in.
      </p>
      <p>
        When you sign in, this device gets its own key. Under Account you see all your devices, and
        can sign any of them out.
      </p>
    </>
  )
}
