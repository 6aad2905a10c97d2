'use client'

import { useEffect, useRef } from 'react'
import { usePendingRemoval } from '../../account/account.ts'
import { Failure } from '../failures/failure.tsx'
import { useAccountChange } from '../live/account-changes.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { ExactTime } from '../ui/time.tsx'

/** Says that support was asked to remove a second step, and keeps it. The mail about it may not have been read. */
export function RemovalNotice() {
  const say = useSay()
  const { removal, isKept, loading, keeping } = usePendingRemoval()
  const told = useRef<HTMLDivElement>(null)
  useAccountChange(loading.run)
  useEffect(() => {
    // The button that had the focus is gone.
    if (isKept) told.current?.focus()
  }, [isKept])
  return (
    <div className={removal ? 'svc-notice svc-above-6' : 'svc-small'}>
      <div className="svc-entry svc-entry-middle">
        <div role="status" ref={told} tabIndex={-1} className="svc-focusable svc-entry-text">
          {removal && (
            <p>
              {say.nodes(
                'Support was asked to remove a second step of your sign-in. It goes on {time}, unless you keep it.',
                { time: <ExactTime at={Date.parse(removal.removesAt)} /> },
              )}
            </p>
          )}
          {isKept && <p className="svc-faded svc-above-6">{say('Your second step stays')}</p>}
        </div>
        {removal && (
          <Button isBusy={keeping.isRunning} onClick={() => void keeping.run()}>
            {keeping.isRunning ? say('Keeping it…') : say('Keep it')}
          </Button>
        )}
      </div>
      <div className="svc-outcome-box">
        <Failure of={keeping.error} />
      </div>
    </div>
  )
}
