'use client'

import { useSignOutEverywhere } from '@svc/web/react'
import { useArrival } from '../sign-in/use-arrival.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

export function SignOutEverywhere() {
  const arrive = useArrival()
  const { run, error, isRunning } = useSignOutEverywhere({ onDone: () => arrive('/login') })
  return (
    <div className="grid">
      <div className="flex">
        <ConfirmButton
          look="danger"
          isBusy={isRunning}
          question="Sign out every device, including this one? To sign in again, you need your password or a code."
          confirm="Yes, sign out everywhere"
          onConfirm={() => void run()}
        >
          Sign out everywhere
        </ConfirmButton>
      </div>
      <div className="has-[p:not(:empty)]:mt-3">
        <Outcome problem={error ? failureWords(error) : ''} />
      </div>
    </div>
  )
}
