'use client'

import { useSignOut } from '../../account/account.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { QuietButton } from '../ui/button.tsx'

/** Signs this browser out, and leads to the home page. */
export function SignOutButton() {
  const paths = usePaths()
  const say = useSay()
  const arrive = useArrival()
  const signOut = useSignOut({ onSignedOut: () => arrive(paths.home) })
  return (
    <>
      <QuietButton isBusy={signOut.isRunning} onClick={() => void signOut.run()}>
        {signOut.isRunning ? say('Signing out…') : say('Sign out')}
      </QuietButton>
      {signOut.error !== null && (
        <span role="alert" className="svc-problem">
          {say('You are still signed in, because the server did not answer. Try again.')}
        </span>
      )}
    </>
  )
}
