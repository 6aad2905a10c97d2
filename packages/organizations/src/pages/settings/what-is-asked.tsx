'use client'

import {
  AccountPage,
  Button,
  ButtonLink,
  Setting,
  Settings,
  usePaths,
  withReturnTo,
} from '@svc/web/account'
import { useSignOut } from '@svc/web/react'
import { usePathname, useRouter } from 'next/navigation.js'
import type { ReactNode } from 'react'
import { dayOf } from '../acts/moment.ts'
import type { OwnOrganization } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { Leave } from './leave.tsx'

type Need = OwnOrganization['unmet'][number]

interface WhatIsAskedProps {
  organization: OwnOrganization
  /** The ways to sign in that the organization allows, where it names them. */
  ways: readonly string[]
}

/** In place of the pages of an organization whose policies the user does not meet. */
export function WhatIsAsked({ organization, ways }: WhatIsAskedProps) {
  const say = useOrganizationSay()
  const { name, unmet } = organization
  return (
    <AccountPage
      title={name}
      about={say('You are a member, but this organization asks for more first.')}
    >
      <Settings title={say('What to do')}>
        {unmet.map((need) => (
          <Asked key={need} need={need} ways={ways} />
        ))}
        <Leave organization={organization} />
      </Settings>
    </AccountPage>
  )
}

function Asked({ need, ways }: Pick<WhatIsAskedProps, 'ways'> & { need: Need }) {
  const say = useOrganizationSay()
  const paths = usePaths()
  const allowed = new Intl.ListFormat(say.locale, { type: 'disjunction' }).format(
    ways.map((way) => say.fromApi(way)),
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

/** From this day on the organization asks for a second factor, which the account of the user does not have. */
export function FactorSoon({ by }: { by: string }) {
  const say = useOrganizationSay()
  const paths = usePaths()
  return (
    <p className="svc-note svc-row svc-above-4">
      {say('This organization asks for a second factor from {day} on.', { day: dayOf(say, by) })}
      <ButtonLink href={paths.security}>{say('Set up a second factor')}</ButtonLink>
    </p>
  )
}
