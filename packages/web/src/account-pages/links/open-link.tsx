import type { ReactNode } from 'react'
import type { Action } from '../../account/use-action.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
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
  const say = useSay()
  return (
    <div className="svc-stack">
      <p className="svc-paragraph">{children}</p>
      <Outcome problem={opening.error ? failureWords(say, opening.error) : ''} />
      <Button look="primary" isBusy={opening.isRunning} onClick={() => void opening.run()}>
        {opening.isRunning ? busyLabel : label}
      </Button>
    </div>
  )
}
