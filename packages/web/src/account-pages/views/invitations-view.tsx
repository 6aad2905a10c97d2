'use client'

import { type ReactNode, Suspense } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Skeleton } from '../ui/skeleton.tsx'

interface Props extends PageSlots {
  /** An `InvitationAdministration`. */
  children: ReactNode
}

/** Invites people, and lists the invitations. */
export function InvitationsView({ children, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Invitations')}
      about={say(
        'We email a link to the person you invite. With it they create an account that has the role you choose.',
      )}
      {...slots}
    >
      <Suspense fallback={<Skeleton label={say('Loading the invitations…')} />}>
        {children}
      </Suspense>
    </AccountPage>
  )
}
