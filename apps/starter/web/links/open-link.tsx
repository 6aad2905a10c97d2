import type { Action } from '@svc/web/react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { failureWords } from '../ui/failure-words.ts'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  opening: Action<[], unknown>
  /** On the button, and there while the link is looked at. */
  label: string
  busyLabel: string
  /** What the link is for. */
  children: ReactNode
}

/** A mailed link does nothing by itself: mail programs open links too. This button spends it. */
export function OpenLink({ opening, label, busyLabel, children }: Props) {
  return (
    <div className="grid gap-4">
      <p className="text-sm leading-relaxed">{children}</p>
      <Outcome problem={opening.error ? failureWords(opening.error) : ''} />
      <Button look="primary" isBusy={opening.isRunning} onClick={() => void opening.run()}>
        {opening.isRunning ? busyLabel : label}
      </Button>
    </div>
  )
}
