import { type InvitationOffer, useSignOut } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'
import { OfferWords } from './offer-words.tsx'

interface Props {
  as: string
  offer: InvitationOffer
}

/** An invitation opens an account of its own, so whoever is signed in here makes room first. */
export function SignedInAlready({ as, offer }: Props) {
  const router = useRouter()
  // The page stays: it alone has the invitation's token by now.
  const signOut = useSignOut({ onSignedOut: () => router.refresh() })
  return (
    <div className="grid gap-4">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        You are already signed in
      </h2>
      <OfferWords offer={offer} />
      <p className="text-sm leading-relaxed">
        You are signed in as <bdi className="font-medium [overflow-wrap:anywhere]">{as}</bdi>. Sign
        out first to accept the invitation.
      </p>
      <Outcome problem={signOut.error ? failureWords(signOut.error) : ''} />
      <Button look="primary" isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
        {signOut.isRunning ? 'Signing out…' : 'Sign out and continue'}
      </Button>
    </div>
  )
}
