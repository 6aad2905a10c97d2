'use client'

import { RequestReset } from '../password/request-reset.tsx'
import { ResetNotes } from '../password/reset-notes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  returnTo: string
}

/** Sends a link that sets a new password. */
export function ForgotPasswordView({ returnTo, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance
      title={say('Forgotten password')}
      notes={<ResetNotes returnTo={returnTo} />}
      slots={slots}
    >
      <RequestReset returnTo={returnTo} />
    </Entrance>
  )
}
