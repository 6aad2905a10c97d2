import { useSignOut } from '../../account/use-sign-in.ts'
import { failureWords } from '../failures/failure-words.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'

/** Another site may have sent the browser here, so that who is signed in says whether they meant it. */
export function SignOutAndGoOn() {
  const paths = usePaths()
  const say = useSay()
  // The sign-in waits for some minutes, and this page finishes it.
  const { run, isRunning, error } = useSignOut({ onSignedOut: () => location.reload() })
  return (
    <>
      <ButtonLink look="primary" href={paths.home}>
        {say('Stay signed in')}
      </ButtonLink>
      <Button isBusy={isRunning} onClick={() => void run()}>
        {isRunning ? say('Signing out…') : say('Sign out and continue')}
      </Button>
      <Outcome problem={error ? failureWords(say, error) : ''} />
    </>
  )
}
