'use client'

import { useSay } from '../provider/account-provider.tsx'
import { LinkedAccounts } from '../social/linked-accounts.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  providers: readonly string[]
  linked: string
  renderedAt: number
}

/** The accounts at other services that the user signs in with. */
export function LinkedAccountsView({ providers, linked, renderedAt, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Linked accounts')}
      about={say('Sign in with an account that you have at another service.')}
      {...slots}
    >
      <LinkedAccounts {...{ providers, linked, renderedAt }} />
    </AccountPage>
  )
}
