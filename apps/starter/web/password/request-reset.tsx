'use client'

import { usePasswordReset } from '@svc/web/react'
import { RequestLink } from '../links/request-link.tsx'

interface Props {
  returnTo: string
  /** If it is known already. */
  email?: string | undefined
}

/** Asks for a link to set a new password with. It says the same of every address. */
export function RequestReset({ returnTo, email }: Props) {
  return (
    <RequestLink
      request={usePasswordReset({ returnPath: returnTo })}
      email={email}
      hint="Enter the email of your account. We send a link there."
    >
      You get no message if there is no account with this email.
    </RequestLink>
  )
}
