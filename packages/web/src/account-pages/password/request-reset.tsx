'use client'

import { usePasswordReset } from '../../account/use-password-reset.ts'
import { RequestLink } from '../links/request-link.tsx'
import { useSay } from '../provider/account-provider.tsx'

interface Props {
  returnTo: string
  /** If it is known already. */
  email?: string | undefined
}

/** Asks for a link to set a new password with. It says the same of every address. */
export function RequestReset({ returnTo, email }: Props) {
  const say = useSay()
  return (
    <RequestLink
      request={usePasswordReset({ returnPath: returnTo })}
      email={email}
      hint={say('Enter the email of your account. We send a link there.')}
    >
      {say('You get no message if there is no account with this email.')}
    </RequestLink>
  )
}
