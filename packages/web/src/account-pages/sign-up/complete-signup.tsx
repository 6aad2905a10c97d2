'use client'

import { useRouter } from 'next/navigation.js'
import { useCompleteSignup } from '../../account/use-signup-link.ts'
import type { OpenedLink } from '../../guards/opened-link.ts'
import { PasswordSetup } from '../links/password-setup.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { registerFailure } from '../register/register-failure.ts'
import { SignInInstead } from '../register/sign-in-instead.tsx'
import { leaveNote } from '../ui/arrival-note.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { RequestSignup } from './request-signup.tsx'

interface Props {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Where a signup link leads. */
export function CompleteSignup(given: Props) {
  const say = useSay()
  const router = useRouter()
  const arrive = useArrival()
  const setup = useCompleteSignup({
    ...given,
    onOpened: () => router.refresh(),
    onSignedUp: (returnPath) => {
      leaveNote(say('Your account is created, and you are signed in.'))
      arrive(returnPath)
    },
  })
  const returnTo = setup.opened?.returnPath ?? '/account'
  return (
    <PasswordSetup
      setup={setup}
      about={say(
        'You opened the link in your mail, so the address is yours. Continue to choose a password.',
      )}
      request={(email) => <RequestSignup returnTo={returnTo} email={email} />}
    >
      {(email) => (
        <SetPassword
          email={email}
          setting={setup.completing}
          label={say('Create account')}
          busyLabel={say('Creating…')}
          failure={(error) => registerFailure(say, error)}
          wayOn={<SignInInstead of={setup.completing.error} returnTo={returnTo} />}
        >
          <p className="svc-small">
            {say.nodes('{email} is yours.', {
              email: <strong className="svc-strong svc-break">{email}</strong>,
            })}
          </p>
        </SetPassword>
      )}
    </PasswordSetup>
  )
}
