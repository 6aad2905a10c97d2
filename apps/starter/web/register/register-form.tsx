'use client'

import { type ProvenEmail, useEmailCode } from '@svc/web/react'
import { useState } from 'react'
import { AskForEmail } from '../sign-in/ask-for-email.tsx'
import { EnterCode } from '../sign-in/enter-code.tsx'
import { codeFailure } from '../sign-in/sign-in-failure.ts'
import { useArrival } from '../sign-in/use-arrival.ts'
import { leaveNote } from '../ui/arrival-note.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { ChoosePassword } from './choose-password.tsx'
import { Steps } from './steps.tsx'

const steps = ['Email', 'Code', 'Password'] as const

/** Opens an account in three steps. */
export function RegisterForm({ returnTo }: { returnTo: string }) {
  const arrive = useArrival()
  const [email, onEmail] = useState('')
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const code = useEmailCode({ purpose: 'registration', onProven: setProven })

  function startOver() {
    setProven(null)
    code.startOver()
  }

  function onRegistered() {
    leaveNote('Your account is created, and you are signed in.')
    arrive(returnTo)
  }

  const step = proven ? 'Password' : code.sent ? 'Code' : 'Email'
  return (
    <div className="grid gap-6">
      <Steps names={steps} current={steps.indexOf(step)} />
      <FocusOnChange of={step}>
        {step === 'Email' && (
          <AskForEmail
            {...{ email, onEmail }}
            sending={code.sending}
            label="Send code"
            hint="We send a code to this address, to check that it is yours."
          />
        )}
        {code.sent && step === 'Code' && (
          <EnterCode
            {...code}
            sent={code.sent}
            label="Continue"
            busyLabel="Checking…"
            failure={codeFailure}
            onStartOver={startOver}
          />
        )}
        {proven && (
          <ChoosePassword {...{ proven, returnTo, onRegistered }} onStartOver={startOver} />
        )}
      </FocusOnChange>
    </div>
  )
}
