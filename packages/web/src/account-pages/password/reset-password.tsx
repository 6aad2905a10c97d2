'use client'

import { WeakPasswordError } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { useCompletePasswordReset } from '../../account/account.ts'
import type { OpenedLink } from '../../guards/guards.ts'
import { failureWords } from '../failures/failure-words.ts'
import { refusedAccount } from '../failures/sign-in-failure.tsx'
import { PasswordSetup } from '../links/open-link.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { leaveNote, useArrival } from '../ui/arrival-notice.tsx'
import { Entrance } from '../ui/entrance.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { SetPassword, weakPasswordWords } from '../ui/set-password.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import type { Say } from '../words/say.ts'
import { RequestReset, ResetNotes } from './forgot-password.tsx'

interface ResetPasswordViewProps extends EntranceSlots {
  hasToken: boolean
  opened: OpenedLink | null
}

/** Sets a new password after a mailed link. */
export function ResetPasswordView({ hasToken, opened, ...slots }: ResetPasswordViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('New password')} notes={<ResetNotes returnTo="/" />} slots={slots}>
      <CompleteReset hasToken={hasToken} opened={opened} />
    </Entrance>
  )
}

interface CompleteResetProps {
  hasToken: boolean
  opened: OpenedLink | null
}

/** The page of a reset link. */
function CompleteReset(given: CompleteResetProps) {
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

/** What a person can do about a password that was not set. */
export function resetFailure(say: Say, error: unknown) {
  if (error instanceof WeakPasswordError) return weakPasswordWords(say, error)
  return refusedAccount(say, error) ?? failureWords(say, error)
}
