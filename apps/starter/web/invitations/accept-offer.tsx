import type { Action, InvitationOffer } from '@svc/web/react'
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
  return (
    <SetPassword
      email={offer.email}
      setting={accepting}
      label="Accept the invitation"
      busyLabel="Accepting it…"
      failure={registerFailure}
      wayOn={<SignInInstead of={accepting.error} returnTo="/" />}
    >
      <OfferWords offer={offer} />
    </SetPassword>
  )
}
