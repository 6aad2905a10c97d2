import type { Metadata } from 'next'
import { AcceptInvitation } from '../../invitations/accept-invitation.tsx'
import { InvitationNotes } from '../../invitations/invitation-notes.tsx'
import { Entrance } from '../../sign-in/entrance.tsx'
import { knownSession } from '../known-session.ts'

export const metadata: Metadata = { title: 'Invitation · Svc starter' }

interface Props {
  searchParams: Promise<{ token?: string | string[] }>
}

/** A mailed invitation leads here. Rendering it changes nothing. */
export default async function Page({ searchParams }: Props) {
  const hasToken = Boolean((await searchParams).token)
  const session = await knownSession()
  const signedInAs = session && (session.email ?? session.phone ?? session.publicId)
  return (
    <Entrance title="Invitation" notes={<InvitationNotes />}>
      <AcceptInvitation hasToken={hasToken} signedInAs={signedInAs} />
    </Entrance>
  )
}
