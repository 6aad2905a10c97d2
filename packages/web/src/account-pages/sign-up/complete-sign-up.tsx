'use client'

import { useRouter } from 'next/navigation.js'
import { useCompleteSignup } from '../../account/account.ts'
import type { OpenedLink } from '../../guards/guards.ts'
import { PasswordSetup } from '../links/open-link.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { leaveNote, useArrival } from '../ui/arrival-notice.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { RegisterNotes, registerFailure, SignInInstead } from './new-account.tsx'
import { RequestSignup } from './sign-up.tsx'

interface CompleteSignUpViewProps extends EntranceSlots {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Creates the account that a mailed link is for. */
export function CompleteSignUpView({ hasToken, opened, ...slots }: CompleteSignUpViewProps) {
  const say = useSay()
  const paths = usePaths()
  return (
    <Entrance
      title={say('Create an account')}
      notes={<RegisterNotes returnTo={paths.profile} />}
      slots={slots}
    >
      <CompleteSignup hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}

interface CompleteSignupProps {
  hasToken: boolean
  opened: OpenedLink | null
}

/** The page of a sign-up link. */
function CompleteSignup(given: CompleteSignupProps) {
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
