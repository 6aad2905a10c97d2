'use client'

import { useState } from 'react'
import { type ProvenEmail, useEmailCode } from '../../account/use-email-code.ts'
import { AskForEmail } from '../codes/ask-for-email.tsx'
import { EnterCode } from '../codes/enter-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { leaveNote } from '../ui/arrival-note.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { useArrival } from '../ui/use-arrival.ts'
import { ChoosePassword } from './choose-password.tsx'
import { Steps } from './steps.tsx'

const steps = ['Email', 'Code', 'Password'] as const

/** Opens an account in three steps. */
export function RegisterForm({ returnTo }: { returnTo: string }) {
  const say = useSay()
  const arrive = useArrival()
  const [email, onEmail] = useState('')
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const code = useEmailCode({ purpose: 'registration', onProven: setProven })

  function startOver() {
    setProven(null)
    code.startOver()
  }

  function onRegistered() {
    leaveNote(say('Your account is created, and you are signed in.'))
    arrive(returnTo)
  }

  const step = proven ? 'Password' : code.sent ? 'Code' : 'Email'
  return (
    <div className="svc-stack svc-stack-6">
      <Steps names={steps} current={steps.indexOf(step)} />
      <FocusOnChange of={step}>
        {step === 'Email' && (
          <AskForEmail
            {...{ email, onEmail }}
            sending={code.sending}
            label={say('Send code')}
            hint={say('We send a code to this address, to check that it is yours.')}
          />
        )}
        {code.sent && step === 'Code' && (
          <EnterCode
            {...code}
            sent={code.sent}
            label={say('Continue')}
            busyLabel={say('Checking…')}
            failure={(error) => codeFailure(say, error)}
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
