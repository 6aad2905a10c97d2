import type { Action } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

/** While the link is looked at, and where that failed. */
export function ReadingInvitation({ looking }: { looking: Action<[], unknown> }) {
  if (!looking.error) {
    return (
      <p role="status" className="text-faded text-sm">
        Loading your invitation…
      </p>
    )
  }
  return (
    <div className="grid gap-4">
      <Outcome problem={failureWords(looking.error)} />
      <Button look="primary" isBusy={looking.isRunning} onClick={() => void looking.run()}>
        {looking.isRunning ? 'Loading…' : 'Try again'}
      </Button>
    </div>
  )
}
