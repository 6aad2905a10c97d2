import { type ProvenEmail, useEmailCode } from '@svc/web/react'
import { useState } from 'react'
import { EnterCode } from '../sign-in/enter-code.tsx'
import { codeFailure } from '../sign-in/sign-in-failure.ts'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { DeleteButton } from './delete-button.tsx'

/** For who has no password, or does not know it: the code goes to the address of the account. */
export function DeleteByCode({ email }: { email: string }) {
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const { sent, sending, verifying } = useEmailCode({
    purpose: 'account_deletion',
    onProven: setProven,
  })
  const step = proven ? 'proven' : sent ? 'code' : 'unsent'
  return (
    <FocusOnChange of={step}>
      {step === 'unsent' && (
        <div className="grid justify-items-start gap-4">
          <Button isBusy={sending.isRunning} onClick={() => void sending.run(email)}>
            {sending.isRunning ? 'Sending…' : 'Email me a code'}
          </Button>
          <Outcome problem={sending.error ? codeFailure(sending.error) : ''} />
        </div>
      )}
      {sent && step === 'code' && (
        <EnterCode
          {...{ sent, sending, verifying }}
          label="Continue"
          busyLabel="Checking…"
          failure={codeFailure}
        />
      )}
      {proven && (
        <div className="grid gap-4">
          <p tabIndex={-1} className="text-sm outline-none">
            You confirmed that the account is yours.
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
