import { useRouter } from 'next/navigation.js'
import type { InvitationOffer } from '../../account/use-invitations.ts'
import { useSignOut } from '../../account/use-sign-in.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { OfferWords } from './offer-words.tsx'

interface Props {
  as: string
  offer: InvitationOffer
}

/** An invitation opens an account of its own, so the signed-in user signs out first. */
export function SignedInAlready({ as, offer }: Props) {
  const say = useSay()
  const router = useRouter()
  // The page stays: it alone has the invitation's token by now.
  const signOut = useSignOut({ onSignedOut: () => router.refresh() })
  return (
    <div className="svc-stack">
      <h2 tabIndex={-1} className="svc-title">
        {say('You are already signed in')}
      </h2>
      <OfferWords offer={offer} />
      <p className="svc-paragraph">
        {say.nodes('You are signed in as {as}. Sign out first to accept the invitation.', {
          as: <bdi className="svc-strong svc-break">{as}</bdi>,
        })}
      </p>
      <Outcome problem={signOut.error ? failureWords(say, signOut.error) : ''} />
      <Button look="primary" isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
        {signOut.isRunning ? say('Signing out…') : say('Sign out and continue')}
      </Button>
    </div>
  )
}
