import { Button, ButtonLink, Setting, usePaths, withReturnTo } from '@svc/web/account'
import { useSignOut } from '@svc/web/react'
import { usePathname, useRouter } from 'next/navigation.js'
import type { ReactNode } from 'react'
import type { OwnOrganization } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { wayName } from './way-name.ts'

type Need = OwnOrganization['unmet'][number]

interface AskedProps {
  need: Need
  /** The ways to sign in that the organization allows, where it names them. */
  ways: readonly string[]
}

/** One thing that a policy asks of the user, and where they can do it. */
export function Asked({ need, ways }: AskedProps) {
  const say = useOrganizationSay()
  const paths = usePaths()
  const allowed = new Intl.ListFormat(say.locale, { type: 'disjunction' }).format(
    ways.map((way) => wayName(say, way)),
  )
  const again = (
    <Setting
      title={say('Sign in again')}
      about={say('It is too long since you signed in on this device, or used it.')}
      action={<SignInAgain />}
    />
  )
  const rows: Record<Need, ReactNode> = {
    domain: (
      <Setting
        title={say('Use an address of this organization')}
        about={say('Your account has no address of its domains.')}
        action={<ButtonLink href={paths.changeEmail}>{say('Change the address')}</ButtonLink>}
      />
    ),
    'second-factor': (
      <Setting
        title={say('Set up a second factor')}
        about={say('Your account has none.')}
        action={<ButtonLink href={paths.security}>{say('Set up')}</ButtonLink>}
      />
    ),
    'way-in': (
      <Setting
        title={say('Sign in in another way')}
        about={say('This organization allows: {ways}.', { ways: allowed })}
        action={<SignInAgain />}
      />
    ),
    'sign-in-again': again,
  }
  // A later server may ask for more.
  return rows[need] ?? again
}

function SignInAgain() {
  const say = useOrganizationSay()
  const paths = usePaths()
  const path = usePathname()
  const router = useRouter()
  const signOut = useSignOut({
    onSignedOut: () => router.push(withReturnTo(paths.signIn, path)),
  })
  return (
    <Button isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
      {say('Sign in again')}
    </Button>
  )
}
