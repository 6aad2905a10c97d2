'use client'

import type { OpenedLink } from '@svc/web/next'
import { useCompletePasswordReset } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { PasswordSetup } from '../links/password-setup.tsx'
import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { useArrival } from '../sign-in/use-arrival.ts'
import { leaveNote } from '../ui/arrival-note.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { RequestReset } from './request-reset.tsx'
import { resetFailure } from './reset-failure.ts'

interface Props {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Where a reset link leads. */
export function CompleteReset(given: Props) {
  const router = useRouter()
  const arrive = useArrival()
  const setup = useCompletePasswordReset({
    ...given,
    onOpened: () => router.refresh(),
    onAnswer: ({ mfaRequired }, returnPath) => {
      leaveNote('Your new password is set. Every other device is signed out.')
      arrive(mfaRequired ? withReturnTo('/auth/mfa', returnPath) : returnPath)
    },
  })
  return (
    <PasswordSetup
      setup={setup}
      about="You opened the link in your mail. Continue to set a new password."
      request={(email) => <RequestReset returnTo={setup.opened?.returnPath ?? '/'} email={email} />}
    >
      {(email) => (
        <SetPassword
          email={email}
          setting={setup.completing}
          label="Set password"
          busyLabel="Saving…"
          failure={resetFailure}
        >
          <p className="text-sm leading-relaxed">
            You set a new password for <strong className="font-medium break-words">{email}</strong>.
            This signs out every other device.
          </p>
        </SetPassword>
      )}
    </PasswordSetup>
  )
}
