'use client'

import { useSignOut } from '@svc/web/react'
import { QuietButton } from '../ui/quiet-button.tsx'
import { useArrival } from './use-arrival.ts'

export function SignOutButton() {
  const arrive = useArrival()
  const signOut = useSignOut({ onSignedOut: () => arrive('/') })
  return (
    <>
      <QuietButton isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
        {signOut.isRunning ? 'Signing out…' : 'Sign out'}
      </QuietButton>
      {signOut.error !== null && (
        <span role="alert" className="text-danger">
          You are still signed in, because the API did not answer. Try again.
        </span>
      )}
    </>
  )
}
