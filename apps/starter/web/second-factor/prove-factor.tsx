import type { StepUpDialog } from '@svc/web/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodeField } from './recovery-code-field.tsx'
import { typedProof, type Way } from './typed-codes.ts'

type FactorDialog = Extract<StepUpDialog, { kind: 'factor' }>

interface Props {
  factor: Pick<FactorDialog, 'canUsePasskey' | 'proving' | 'provingByPasskey'>
  failure: (error: unknown) => string
  /** On the button, and there while the code is looked at. */
  label: string
  busyLabel: string
  /** Beside the button: a way out. */
  children?: ReactNode
}

/** Asks for a second step: a code of the app, a passkey, or a recovery code. */
export function ProveFactor({ factor, failure, label, busyLabel, children }: Props) {
  const { canUsePasskey, proving, provingByPasskey } = factor
  const [way, setWay] = useState<Way>('code')
  const [missing, setMissing] = useState('')

  function begin() {
    setMissing('')
    proving.reset()
    provingByPasskey.reset()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    begin()
    const { proof, problem } = typedProof(way, formText(new FormData(event.currentTarget), way))
    setMissing(problem)
    if (proof) void proving.run(proof)
  }

  function change(to: Way) {
    begin()
    setWay(to)
  }

  const error = proving.error ?? provingByPasskey.error
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <FocusOnChange of={way}>
        {way === 'code' ? (
          <CodeField hint="The six digits that your authenticator app shows." />
        ) : (
          <RecoveryCodeField />
        )}
      </FocusOnChange>
      <Outcome problem={missing || (error ? failure(error) : '')} />
      <div className="flex flex-wrap gap-3 *:grow">
        <Button type="submit" look="primary" isBusy={proving.isRunning}>
          {proving.isRunning ? busyLabel : label}
        </Button>
        {children}
      </div>
      {canUsePasskey && (
        <Button
          isBusy={provingByPasskey.isRunning}
          onClick={() => {
            begin()
            void provingByPasskey.run()
          }}
        >
          {provingByPasskey.isRunning ? 'Waiting for your passkey…' : 'Use a passkey'}
        </Button>
      )}
      <p className="text-sm">
        {way === 'code' ? (
          <QuietButton onClick={() => change('recoveryCode')}>Use a recovery code</QuietButton>
        ) : (
          <QuietButton onClick={() => change('code')}>Use your authenticator app</QuietButton>
        )}
      </p>
    </form>
  )
}
