import type { Action } from '../../account/use-action.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'

/** While the link is looked at, and where that failed. */
export function ReadingInvitation({ looking }: { looking: Action<[], unknown> }) {
  const say = useSay()
  if (!looking.error) {
    return (
      <p role="status" className="svc-note">
        {say('Loading your invitation…')}
      </p>
    )
  }
  return (
    <div className="svc-stack">
      <Outcome problem={failureWords(say, looking.error)} />
      <Button look="primary" isBusy={looking.isRunning} onClick={() => void looking.run()}>
        {looking.isRunning ? say('Loading…') : say('Try again')}
      </Button>
    </div>
  )
}
