import type { Action } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'

interface Props {
  title: string
  advice: string
  starting: Action<[], unknown>
}

/** Says why the page stopped waiting, and starts over. */
export function LinkEnded({ title, advice, starting }: Props) {
  const say = useSay()
  return (
    <div className="svc-stack">
      <div role="alert">
        <h2 tabIndex={-1} className="svc-title">
          {title}
        </h2>
        <p className="svc-paragraph svc-above-2">{advice}</p>
      </div>
      <Button look="primary" isBusy={starting.isRunning} onClick={() => void starting.run()}>
        {starting.isRunning ? say('Loading…') : say('Show a new code')}
      </Button>
    </div>
  )
}
