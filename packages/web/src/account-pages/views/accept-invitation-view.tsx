'use client'

import { AcceptInvitation } from '../invitations/accept-invitation.tsx'
import { InvitationNotes } from '../invitations/invitation-notes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'

interface Props extends EntranceSlots {
  hasToken: boolean
  signedInAs: string | null
}

/** Accepts a mailed invitation. */
export function AcceptInvitationView({ hasToken, signedInAs, ...slots }: Props) {
  const say = useSay()
  return (
    <Entrance title={say('Invitation')} notes={<InvitationNotes />} slots={slots}>
      <AcceptInvitation hasToken={hasToken} signedInAs={signedInAs} />
    </Entrance>
  )
}
