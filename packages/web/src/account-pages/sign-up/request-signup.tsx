'use client'

import { useSignupLink } from '../../account/use-signup-link.ts'
import { RequestLink } from '../links/request-link.tsx'
import { useSay } from '../provider/account-provider.tsx'

interface Props {
  returnTo: string
  /** If it is known already. */
  email?: string | undefined
}

/** Asks for a link to sign up with. It says the same to who has an account already: the message tells them. */
export function RequestSignup({ returnTo, email }: Props) {
  const say = useSay()
  return (
    <RequestLink
      request={useSignupLink({ returnPath: returnTo })}
      email={email}
      hint={say('We send a link to this address, to check that it is yours.')}
    >
      {say('If you already have an account, the message tells you so.')}
    </RequestLink>
  )
}
