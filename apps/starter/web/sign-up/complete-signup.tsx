'use client'

import type { OpenedLink } from '@svc/web/next'
import { useCompleteSignup } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { PasswordSetup } from '../links/password-setup.tsx'
import { registerFailure } from '../register/register-failure.ts'
import { SignInInstead } from '../register/sign-in-instead.tsx'
import { useArrival } from '../sign-in/use-arrival.ts'
import { leaveNote } from '../ui/arrival-note.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { RequestSignup } from './request-signup.tsx'

interface Props {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Where a signup link leads. */
export function CompleteSignup(given: Props) {
  const router = useRouter()
  const arrive = useArrival()
  const setup = useCompleteSignup({
    ...given,
    onOpened: () => router.refresh(),
    onSignedUp: (returnPath) => {
      leaveNote('Your account is created, and you are signed in.')
      arrive(returnPath)
    },
  })
  const returnTo = setup.opened?.returnPath ?? '/account'
  return (
    <PasswordSetup
      setup={setup}
      about="You opened the link in your mail, so the address is yours. Continue to choose a password."
      request={(email) => <RequestSignup returnTo={returnTo} email={email} />}
    >
      {(email) => (
        <SetPassword
          email={email}
          setting={setup.completing}
          label="Create account"
          busyLabel="Creating…"
          failure={registerFailure}
          wayOn={<SignInInstead of={setup.completing.error} returnTo={returnTo} />}
        >
          <p className="text-sm">
            <strong className="font-medium break-words">{email}</strong> is yours.
          </p>
        </SetPassword>
      )}
    </PasswordSetup>
  )
}
