'use client'

import { type ReactNode, Suspense } from 'react'
import { EmailPanel } from '../account/email-panel.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Skeleton } from '../ui/skeleton.tsx'

interface Props extends PageSlots {
  userId: string
  email: string | undefined
  /** A `ProfileDetails`. */
  children: ReactNode
}

/** The name, username and settings of the user. */
export function ProfileView({ userId, email, children, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage title={say('Profile')} about={say('Your name, username and settings.')} {...slots}>
      <Suspense fallback={<Skeleton label={say('Loading your profile…')} />}>{children}</Suspense>
      <div className="svc-above-5">
        <EmailPanel email={email} />
      </div>
      <p className="svc-note svc-above-6">
        {say('User id:')} <code className="svc-ink svc-break-all">{userId}</code>
      </p>
    </AccountPage>
  )
}
