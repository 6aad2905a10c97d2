'use client'

import { useEffect, useState } from 'react'
import { type Action, type SupportCode, useSupportCode } from '../../account/account.ts'
import { useSupport } from '../account/support-sessions.tsx'
import { TimeLeft } from '../device/device-facts.tsx'
import { Failure } from '../failures/failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button } from '../ui/button.tsx'
import { useCopy } from '../ui/copy.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { useHasPassed } from '../ui/time.tsx'

/** The code with which the user lets support use the account. */
export function SupportCodeView(slots: PageSlots) {
  const say = useSay()
  return (
    <AccountPage
      title={say('A code for support')}
      about={say('Support can use your account for up to an hour, if you give them a code.')}
      {...slots}
    >
      <ShowCode />
    </AccountPage>
  )
}

/** Shows a code once the user asks for it: the page may be open for another reason. */
function ShowCode() {
  const say = useSay()
  const { stage, code, creating, show } = useShownCode()
  const label = stage === 'none' ? say('Show a code') : say('Show a new code')
  return (
    <FocusOnChange of={stage === 'code' && code ? code.code : stage}>
      <section className={stage === 'code' ? 'svc-sheet svc-sheet-edge' : 'svc-sheet'}>
        <div className="svc-stack">
          {stage === 'none' && <BeforeCode />}
          {stage === 'code' && code && <ShownCode code={code} />}
          {stage === 'used' && <UsedCode />}
          <Failure of={creating.error} />
          <div>
            <Button
              look={stage === 'none' ? 'primary' : 'plain'}
              isBusy={creating.isRunning}
              onClick={show}
            >
              {creating.isRunning ? say('Loading…') : label}
            </Button>
          </div>
        </div>
      </section>
    </FocusOnChange>
  )
}

function BeforeCode() {
  const say = useSay()
  return (
    <>
      <h2 className="svc-title">{say('Let support use your account?')}</h2>
      <WhatItAllows />
      <p className="svc-note svc-prose">
        {say(
          'Give a code only to support that you contacted yourself. If someone calls you and asks for a code, don’t tell them one.',
        )}
      </p>
    </>
  )
}

function WhatItAllows() {
  const say = useSay()
  return (
    <div className="svc-prose">
      <p className="svc-paragraph">
        {say('With the code, a support agent can use your account for up to an hour:')}
      </p>
      <ul className="svc-bullets svc-above-2">
        <li>{say('They can see and change what you can see and change here.')}</li>
        <li>
          {say(
            'They can’t change your password, your passkeys, your second step, your email or your devices.',
          )}
        </li>
        <li>{say('They can’t download your data, and can’t delete your account.')}</li>
        <li>{say('Your account pages show that support is signed in. You can end it there.')}</li>
      </ul>
    </div>
  )
}

function ShownCode({ code: { code, expiresAtMillis } }: { code: SupportCode }) {
  const say = useSay()
  const { copy, ...copied } = useCopy()
  // By this device's clock, which may be wrong: the code stays on the page.
  const isOver = useHasPassed(expiresAtMillis - Date.now(), code)
  return (
    <>
      <h2 tabIndex={-1} className="svc-title">
        {say('Tell this code only to the support agent you are talking to')}
      </h2>
      <p className={isOver ? 'svc-code svc-faded' : 'svc-code'}>{code}</p>
      <div className="svc-small">
        <p role="status">{isOver && say('It has expired.')}</p>
        {!isOver && (
          <p>
            {say.nodes('It works once, and expires in {time}.', {
              time: <TimeLeft until={expiresAtMillis} />,
            })}
          </p>
        )}
      </div>
      <div>
        <Button onClick={() => void copy(code)}>{say('Copy')}</Button>
      </div>
      <Outcome {...copied} />
      <WhatItAllows />
    </>
  )
}

function UsedCode() {
  const say = useSay()
  return (
    <div>
      <h2 tabIndex={-1} className="svc-title">
        {say('Support used your code')}
      </h2>
      <p className="svc-note svc-prose svc-above-1">
        {say('It no longer works. For another session, support needs a new code.')}
      </p>
    </div>
  )
}

interface Shown {
  stage: 'none' | 'code' | 'used'
  code: SupportCode | null
  creating: Action<[], SupportCode>
  show: () => void
}

/** The code, until a session opens: then it was used. */
function useShownCode(): Shown {
  const { sessions } = useSupport()
  const { code, creating } = useSupportCode()
  const [usedCode, setUsedCode] = useState<SupportCode | null>(null)
  const [before, setBefore] = useState<readonly string[]>([])
  const hasOpened = sessions.some(({ keyId }) => !before.includes(keyId))
  useEffect(() => {
    if (code && hasOpened) setUsedCode(code)
  }, [code, hasOpened])

  function show() {
    setBefore(sessions.map(({ keyId }) => keyId))
    void creating.run()
  }
  const stage = code === null ? 'none' : code === usedCode ? 'used' : 'code'
  return { stage, code, creating, show }
}
