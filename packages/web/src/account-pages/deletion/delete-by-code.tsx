import { useState } from 'react'
import { type ProvenEmail, useEmailCode } from '../../account/use-email-code.ts'
import { EnterCode } from '../codes/enter-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { DeleteButton } from './delete-button.tsx'

/** For who has no password, or does not know it: the code goes to the address of the account. */
export function DeleteByCode({ email }: { email: string }) {
  const say = useSay()
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const { sent, sending, verifying } = useEmailCode({
    purpose: 'account_deletion',
    onProven: setProven,
  })
  const step = proven ? 'proven' : sent ? 'code' : 'unsent'
  return (
    <FocusOnChange of={step}>
      {step === 'unsent' && (
        <div className="svc-stack svc-start">
          <Button isBusy={sending.isRunning} onClick={() => void sending.run(email)}>
            {sending.isRunning ? say('Sending…') : say('Email me a code')}
          </Button>
          <Outcome problem={sending.error ? codeFailure(say, sending.error) : ''} />
        </div>
      )}
      {sent && step === 'code' && (
        <EnterCode
          {...{ sent, sending, verifying }}
          label={say('Continue')}
          busyLabel={say('Checking…')}
          failure={(error) => codeFailure(say, error)}
        />
      )}
      {proven && (
        <div className="svc-stack">
          <p tabIndex={-1} className="svc-small svc-focusable">
            {say('You confirmed that the account is yours.')}
          </p>
          <DeleteButton
            email={email}
            proof={() => ({ verificationToken: proven.verificationToken })}
          />
        </div>
      )}
    </FocusOnChange>
  )
}
