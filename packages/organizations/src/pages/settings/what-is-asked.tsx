'use client'

import { AccountPage, ButtonLink, Settings, usePaths } from '@svc/web/account'
import { dayOf } from '../acts/moment.ts'
import type { OwnOrganization } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { Asked } from './asked.tsx'
import { Leave } from './leave.tsx'

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
