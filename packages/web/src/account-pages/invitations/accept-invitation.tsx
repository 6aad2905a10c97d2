'use client'

import { useRouter } from 'next/navigation.js'
import { useEffect } from 'react'
import { useAcceptInvitation } from '../../account/use-invitations.ts'
import { usePaths } from '../provider/account-provider.tsx'
import { useSignedIn } from '../sign-in/use-signed-in.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { AcceptOffer } from './accept-offer.tsx'
import { InvitationOver } from './invitation-over.tsx'
import { ReadingInvitation } from './reading-invitation.tsx'
import { SignedInAlready } from './signed-in-already.tsx'

interface Props {
  hasToken: boolean
  /** Who is signed in in this browser. */
  signedInAs: string | null
}

/** Where a mailed invitation leads. */
export function AcceptInvitation({ hasToken, signedInAs }: Props) {
  const paths = usePaths()
  const router = useRouter()
  const invitation = useAcceptInvitation({ hasToken, onAccepted: useSignedIn(paths.profile) })
  const { stage, offer, looking, accepting } = invitation
  // Next writes the address that it has rendered into the history’s state, which a browser may keep: the token with it.
  const isRead = stage !== 'unread'
  useEffect(() => {
    if (hasToken && isRead) router.replace(paths.acceptInvitation)
  }, [hasToken, isRead, router, paths])
  return (
    <FocusOnChange of={stage === 'over' ? 'over' : signedInAs ? 'signed in' : 'offer'}>
      {stage === 'unread' && <ReadingInvitation looking={looking} />}
      {offer && stage === 'offered' && signedInAs && (
        <SignedInAlready as={signedInAs} offer={offer} />
      )}
      {offer && stage === 'offered' && !signedInAs && (
        <AcceptOffer offer={offer} accepting={accepting} />
      )}
      {stage === 'over' && <InvitationOver />}
    </FocusOnChange>
  )
}
