'use client'

import { useRouter } from 'next/navigation.js'
import { useCompletePasswordReset } from '../../account/use-password-reset.ts'
import type { OpenedLink } from '../../guards/opened-link.ts'
import { PasswordSetup } from '../links/password-setup.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { leaveNote } from '../ui/arrival-note.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { useArrival } from '../ui/use-arrival.ts'
import { RequestReset } from './request-reset.tsx'
import { resetFailure } from './reset-failure.ts'

interface Props {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Where a reset link leads. */
export function CompleteReset(given: Props) {
  const paths = usePaths()
  const say = useSay()
  const router = useRouter()
  const arrive = useArrival()
  const setup = useCompletePasswordReset({
    ...given,
    onOpened: () => router.refresh(),
    onAnswer: ({ mfaRequired }, returnPath) => {
      leaveNote(say('Your new password is set. Every other device is signed out.'))
      arrive(mfaRequired ? withReturnTo(paths.secondStep, returnPath) : returnPath)
    },
  })
  return (
    <PasswordSetup
      setup={setup}
      about={say('You opened the link in your mail. Continue to set a new password.')}
      request={(email) => <RequestReset returnTo={setup.opened?.returnPath ?? '/'} email={email} />}
    >
      {(email) => (
        <SetPassword
          email={email}
          setting={setup.completing}
          label={say('Set password')}
          busyLabel={say('Saving…')}
          failure={(error) => resetFailure(say, error)}
        >
          <p className="svc-paragraph">
            {say.nodes('You set a new password for {email}. This signs out every other device.', {
              email: <strong className="svc-strong svc-break">{email}</strong>,
            })}
          </p>
        </SetPassword>
      )}
    </PasswordSetup>
  )
}
