'use client'

import type { OpenedLink } from '../../guards/opened-link.ts'
import { CompleteReset } from '../password/complete-reset.tsx'
import { ResetNotes } from '../password/reset-notes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Sets a new password after a mailed link. */
export function ResetPasswordView({ hasToken, opened, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('New password')} notes={<ResetNotes returnTo="/" />} slots={slots}>
      <CompleteReset hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}
