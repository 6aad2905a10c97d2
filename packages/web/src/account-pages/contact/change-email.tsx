'use client'

import { useRouter } from 'next/navigation.js'
import { useState } from 'react'
import { type ProvenEmail, useEmailCode } from '../../account/use-email-code.ts'
import { EnterCode } from '../codes/enter-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Steps } from '../register/steps.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { AskForNewEmail } from './ask-for-new-email.tsx'
import { ConfirmChange } from './confirm-change.tsx'
import { EmailChanged } from './email-changed.tsx'

interface Props {
  /** The address that the account has; empty where it has none. */
  current: string
  hasPassword: boolean
}

/** Changes the address of an account in three steps. */
export function ChangeEmail({ current, hasPassword }: Props) {
  const say = useSay()
  const router = useRouter()
  // What the page is rendered with is the new one, once it is changed.
  const [before] = useState(current)
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const [changed, setChanged] = useState<string | null>(null)
  const code = useEmailCode({ purpose: 'email_change', onProven: setProven })
  const last = hasPassword ? 'Password' : 'Confirm'
  const steps = ['New email', 'Code', last] as const

  function startOver() {
    setProven(null)
    code.startOver()
  }

  function onChanged(email: string) {
    setChanged(email)
    // The frame around the page says whose account it is.
    router.refresh()
  }

  const step = proven ? last : code.sent ? 'Code' : 'New email'
  return (
    <FocusOnChange of={changed ?? step}>
      {changed === null ? (
        <div className="svc-stack svc-stack-6 svc-narrow">
          <Steps names={steps} current={steps.indexOf(step)} />
          {step === 'New email' && <AskForNewEmail current={before} sending={code.sending} />}
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
            <ConfirmChange
              {...{ proven, hasPassword, onChanged }}
              current={before}
              onStartOver={startOver}
            />
          )}
        </div>
      ) : (
        <EmailChanged before={before} now={changed} />
      )}
    </FocusOnChange>
  )
}
