import { AcceptInvitationView } from '../invitations/accept-invitation.tsx'
import type { EntranceProps } from './page-props.ts'
import { accountName, knownSession } from './server-account.ts'

/** A mailed invitation leads here. Rendering it changes nothing. */
export async function AcceptInvitationPage({ searchParams, ...slots }: EntranceProps<'token'>) {
  const hasToken = Boolean((await searchParams).token)
  const session = await knownSession()
  return (
    <AcceptInvitationView
      {...slots}
      hasToken={hasToken}
      signedInAs={session && accountName(session)}
    />
  )
}
