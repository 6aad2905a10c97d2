import { useSignOut } from '@svc/web/react'
import { Button, ButtonLink } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

/** Another site may have sent the browser here, so that who is signed in says whether they meant it. */
export function SignOutAndGoOn() {
  // The sign-in waits for some minutes, and this page finishes it.
  const { run, isRunning, error } = useSignOut({ onSignedOut: () => location.reload() })
  return (
    <>
      <ButtonLink look="primary" href="/">
        Stay signed in
      </ButtonLink>
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? 'Signing out…' : 'Sign out and continue'}
      </Button>
      <Outcome problem={error ? failureWords(error) : ''} />
    </>
  )
}
