'use client'

import { useEffect, useRef, useState } from 'react'
import type { Device } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TimeOfDay } from '../ui/time.tsx'
import { deviceName, signedOutWords, signOutQuestion } from './device-words.ts'
import { useSupport } from './support-sessions.tsx'

/** Says who else uses the account, and ends it. The line is always there: a screen reader tells what comes into it. */
export function SupportNotice() {
  const say = useSay()
  const { sessions, isEnding, error, end } = useSupport()
  const [done, setDone] = useState('')
  const told = useRef<HTMLDivElement>(null)
  const isOpen = sessions.length > 0
  useEffect(() => {
    if (isOpen) setDone('')
  }, [isOpen])

  async function endOne(session: Device) {
    if (!(await end(session))) return
    setDone(signedOutWords(say, session, []))
    // The button that had the focus is gone.
    told.current?.focus()
  }

  return (
    <div className={isOpen ? 'svc-notice svc-above-6' : 'svc-small'}>
      <div className="svc-entry svc-entry-middle">
        <div role="status" ref={told} tabIndex={-1} className="svc-focusable svc-entry-text">
          {sessions.map((session) => (
            <p key={session.keyId} className="svc-break">
              <WhoIsIn session={session} />
            </p>
          ))}
          {!isOpen && done && <p className="svc-faded svc-above-6">{done}</p>}
        </div>
        {sessions.map((session) => (
          <ConfirmButton
            key={session.keyId}
            isBusy={isEnding}
            question={signOutQuestion(say, session)}
            confirm={say('Yes, end it')}
            onConfirm={() => void endOne(session)}
            refusal={error}
          >
            {say('End session')}
            <span className="svc-hidden"> {deviceName(say, session)}</span>
          </ConfirmButton>
        ))}
      </div>
      <div className="svc-outcome-box">
        <Outcome problem={isOpen && error ? failureWords(say, error) : ''} />
      </div>
    </div>
  )
}

function WhoIsIn({ session }: { session: Device }) {
  const say = useSay()
  const { deviceName: name, expiresAtMillis = 0 } = session
  const time = <TimeOfDay at={expiresAtMillis} />
  if (!name) return say.nodes('Support is signed in to your account until {time}.', { time })
  return say.nodes('Support is signed in to your account: <strong>{name}</strong>, until {time}.', {
    name,
    time,
    strong: (text) => <bdi className="svc-strong">{text}</bdi>,
  })
}
