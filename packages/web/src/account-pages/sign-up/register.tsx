'use client'

import { useState } from 'react'
import { type ProvenEmail, useEmailCode, useRegister } from '../../account/account.ts'
import { AskForEmail, EnterCode } from '../codes/email-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { SocialSignUp } from '../social/social-buttons.tsx'
import { leaveNote, useArrival } from '../ui/arrival-notice.tsx'
import { QuietButton } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { SetPassword } from '../ui/set-password.tsx'
import { Steps } from '../ui/steps.tsx'
import { RegisterNotes, registerFailure, SignInInstead, SignUpWays } from './new-account.tsx'

interface RegisterViewProps extends EntranceSlots {
  returnTo: string
  providers: readonly string[]
}

/** Creates an account with a code by email. */
export function RegisterView({ returnTo, providers, ...slots }: RegisterViewProps) {
  const say = useSay()
  return (
    <Entrance
      title={say('Create an account')}
      notes={<RegisterNotes returnTo={returnTo} />}
      slots={slots}
    >
      <SocialSignUp providers={providers} returnTo={returnTo} />
      <SignUpWays way="code" returnTo={returnTo} />
      <div className="svc-above-6">
        <RegisterForm returnTo={returnTo} />
      </div>
    </Entrance>
  )
}

const steps = ['Email', 'Code', 'Password'] as const

/** Opens an account in three steps. */
function RegisterForm({ returnTo }: { returnTo: string }) {
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

interface ChoosePasswordProps {
  proven: ProvenEmail
  returnTo: string
  onRegistered: () => void
  onStartOver: () => void
}

/** The last step: the user chooses a password. */
function ChoosePassword({ proven, returnTo, onRegistered, onStartOver }: ChoosePasswordProps) {
  const say = useSay()
  const { run, ...registering } = useRegister({ onRegistered })
  return (
    <SetPassword
      email={proven.email}
      setting={{ ...registering, run: (password) => run({ ...proven, password }) }}
      label={say('Create account')}
      busyLabel={say('Creating…')}
      failure={(error) => registerFailure(say, error)}
      wayOn={<SignInInstead of={registering.error} returnTo={returnTo} />}
    >
      <p className="svc-small">
        {say.nodes('{email} is yours. <link>Use another address</link>', {
          email: <strong className="svc-strong svc-break">{proven.email}</strong>,
          link: (text) => <QuietButton onClick={onStartOver}>{text}</QuietButton>,
        })}
      </p>
    </SetPassword>
  )
}
