import type { EntranceSlots } from '@svc/web/account'
import { getSession } from '@svc/web/next'
import type { ReactNode } from 'react'
import { AcceptOrganizationInvitationView } from '../invitations/accept-invitation.tsx'

/** What Next gives the page that a mailed invitation opens, and your slots. */
export interface AcceptOrganizationInvitationPageProps extends EntranceSlots {
  searchParams: Promise<{ token?: string | string[] }>
}

/** A mailed invitation into an organization leads here. Rendering it changes nothing. */
export async function AcceptOrganizationInvitationPage({
  searchParams,
  ...slots
}: AcceptOrganizationInvitationPageProps): Promise<ReactNode> {
  const { token } = await searchParams
  const session = await getSession().catch(() => null)
  return (
    <AcceptOrganizationInvitationView
      {...slots}
      token={typeof token === 'string' ? token : ''}
      signedInAs={session && (session.email ?? session.phone ?? session.publicId)}
    />
  )
}
