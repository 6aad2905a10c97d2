'use client'

import type { AuthSession } from '@svc/auth'
import type { ReactNode } from 'react'
import { SecurityPanels } from '../account/security-panels.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  session: AuthSession
  providers: readonly string[]
  /** Panels of your application. */
  more?: ReactNode
}

/** How the user signs in and stays signed in. */
export function SecurityView({ session, providers, more, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Security')}
      about={say(
        'How you sign in and stay signed in, where you sign out everywhere, and your data.',
      )}
      {...slots}
    >
      <SecurityPanels {...{ session, providers, more }} />
    </AccountPage>
  )
}
