import type { Action } from '../../account/use-action.ts'
import type { InvitationOffer } from '../../account/use-invitations.ts'
import { useSay } from '../provider/account-provider.tsx'
import { registerFailure } from '../register/register-failure.ts'
import { SignInInstead } from '../register/sign-in-instead.tsx'
import { SetPassword } from '../ui/set-password.tsx'
import { OfferWords } from './offer-words.tsx'

interface Props {
  offer: InvitationOffer
  accepting: Action<[password: string], unknown>
}

/** The last step: what the account is kept with. */
export function AcceptOffer({ offer, accepting }: Props) {
  const say = useSay()
  return (
    <SetPassword
      email={offer.email}
      setting={accepting}
      label={say('Accept the invitation')}
      busyLabel={say('Accepting it…')}
      failure={(error) => registerFailure(say, error)}
      wayOn={<SignInInstead of={accepting.error} returnTo="/" />}
    >
      <OfferWords offer={offer} />
    </SetPassword>
  )
}
