'use client'

import type { OpenedLink } from '../../guards/opened-link.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { RegisterNotes } from '../register/register-notes.tsx'
import { CompleteSignup } from '../sign-up/complete-signup.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Creates the account that a mailed link is for. */
export function CompleteSignUpView({ hasToken, opened, ...slots }: Props) {
  const say = useSay()
  const paths = usePaths()
  return (
    <Entrance
      title={say('Create an account')}
      notes={<RegisterNotes returnTo={paths.profile} />}
      slots={slots}
    >
      <CompleteSignup hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}
