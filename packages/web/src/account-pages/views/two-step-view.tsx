'use client'

import { useSay } from '../provider/account-provider.tsx'
import { TwoStep } from '../second-factor/two-step.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  account: string
}

/** The second step of the user. */
export function TwoStepView({ account, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Two-step sign-in')}
      about={say('On a new device, you need your password and something that only you have.')}
      {...slots}
    >
      <TwoStep account={account} />
    </AccountPage>
  )
}
