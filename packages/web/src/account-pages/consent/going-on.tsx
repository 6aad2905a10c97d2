'use client'

import { useEffect, useRef } from 'react'
import type { DecidedFields } from '../../consent/consent.ts'
import { useSay } from '../provider/account-provider.tsx'
import { StepUp } from '../step-up/step-up.tsx'
import { Button } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { framed, useIsFramed } from './consent-parts.tsx'
import { Leaving } from './leaving.tsx'
import { refusal, useConsent } from './use-consent.ts'

interface GoingOnProps {
  decides: DecidedFields
  slots: EntranceSlots
}

/** The application trusts the client, so the user is not asked. They may have to prove who they are. */
export function GoingOn({ decides, slots }: GoingOnProps) {
  const say = useSay()
  return (
    <StepUp>
      <Entrance title={say('Signing you in…')} notes={null} slots={slots}>
        <AllowAtOnce decides={decides} />
      </Entrance>
    </StepUp>
  )
}

function AllowAtOnce({ decides }: { decides: DecidedFields }) {
  const say = useSay()
  const isFramed = useIsFramed()
  const { goingTo, deciding } = useConsent(decides)
  const { run } = deciding
  const hasBegun = useRef(false)
  useEffect(() => {
    if (isFramed !== false || hasBegun.current) return
    hasBegun.current = true
    void run('allow', '')
  }, [isFramed, run])
  if (goingTo !== null) return <Leaving to={goingTo} />
  return (
    <div className="svc-stack">
      <Outcome problem={isFramed ? say(framed) : refusal(say, deciding.error)} />
      {deciding.error && !deciding.isRunning ? (
        <Button onClick={() => void run('allow', '')}>{say('Continue')}</Button>
      ) : null}
      <noscript>
        <p className="svc-small">{say('This page needs JavaScript to finish.')}</p>
      </noscript>
    </div>
  )
}
