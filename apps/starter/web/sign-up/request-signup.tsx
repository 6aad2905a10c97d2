'use client'

import { useSignupLink } from '@svc/web/react'
import { RequestLink } from '../links/request-link.tsx'

/** Asks for a link to sign up with. It says the same to who has an account already: the message tells them. */
export function RequestSignup({ returnTo }: { returnTo: string }) {
  return (
    <RequestLink
      request={useSignupLink({ returnPath: returnTo })}
      hint="A link goes there, to show that it is yours."
    >
      If you have an account already, the message says so instead.
    </RequestLink>
  )
}
