'use client'

import { useSignOutEverywhere } from '../../account/use-security.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useArrival } from '../ui/use-arrival.ts'

export function SignOutEverywhere() {
  const paths = usePaths()
  const say = useSay()
  const arrive = useArrival()
  const { run, error, isRunning } = useSignOutEverywhere({ onDone: () => arrive(paths.signIn) })
  return (
    <div className="svc-grid">
      <div className="svc-flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          question={say(
            'Sign out every device, including this one? To sign in again, you need your password or a code.',
          )}
          confirm={say('Yes, sign out everywhere')}
          onConfirm={() => void run()}
        >
          {say('Sign out everywhere')}
        </ConfirmButton>
      </div>
      <div className="svc-outcome-box">
        <Outcome problem={error ? failureWords(say, error) : ''} />
      </div>
    </div>
  )
}
