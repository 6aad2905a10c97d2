import type { Action } from '@svc/web/react'
import { Button } from '../ui/button.tsx'

interface Props {
  title: string
  advice: string
  starting: Action<[], unknown>
}

/** Says why nobody waits any more, and begins anew. */
export function LinkEnded({ title, advice, starting }: Props) {
  return (
    <div className="grid gap-4">
      <div role="alert">
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          {title}
        </h2>
        <p className="mt-2 text-sm leading-relaxed">{advice}</p>
      </div>
      <Button look="primary" isBusy={starting.isRunning} onClick={() => void starting.run()}>
        {starting.isRunning ? 'Loading…' : 'Show a new code'}
      </Button>
    </div>
  )
}
