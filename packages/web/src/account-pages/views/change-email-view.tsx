'use client'

import { ChangeEmail } from '../contact/change-email.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  email: string
  hasPassword: boolean
}

/** Changes the email of the account. */
export function ChangeEmailView({ email, hasPassword, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Change your email')}
      about={say(
        'You sign in with this address and get messages there. Your devices stay signed in.',
      )}
      {...slots}
    >
      <div className="svc-sheet">
        <ChangeEmail current={email} hasPassword={hasPassword} />
      </div>
    </AccountPage>
  )
}
