import { type FormEvent, type ReactNode, useState } from 'react'
import type { StepUpDialog } from '../../account/step-up-provider.ts'
import { noPasskeyUsed } from '../failures/no-passkey-used.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodeField } from './recovery-code-field.tsx'
import { typedProof, type Way } from './typed-codes.ts'
import { useFirstFocus } from './use-first-focus.ts'

type FactorDialog = Extract<StepUpDialog, { kind: 'factor' }>

interface Props {
  factor: Pick<FactorDialog, 'canUsePasskey' | 'proving' | 'provingByPasskey'>
  /** Whether the account has an authenticator app; null where it is not known. */
  hasApp: boolean | null
  failure: (error: unknown) => string
  /** On the button, and there while the code is looked at. */
  label: string
  busyLabel: string
  /** Beside the button: a way out. */
  children?: ReactNode
}

/** Asks for a second step: a passkey, a code of the app, or a recovery code. */
export function ProveFactor({ factor, hasApp, failure, label, busyLabel, children }: Props) {
  const say = useSay()
  const { canUsePasskey, proving, provingByPasskey } = factor
  const [way, setWay] = useState<Way>('code')
  const [missing, setMissing] = useState('')
  const [isUnused, setUnused] = useState(false)
  const isPasskeyFirst = canUsePasskey === true && hasApp !== true
  const hasNoField = isPasskeyFirst && hasApp === false && way === 'code'
  const form = useFirstFocus(
    canUsePasskey === null ? 'unknown' : isPasskeyFirst ? 'passkey' : 'field',
  )

  function begin() {
    setMissing('')
    setUnused(false)
    proving.reset()
    provingByPasskey.reset()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    begin()
    const { proof, problem } = typedProof(
      say,
      way,
      formText(new FormData(event.currentTarget), way),
    )
    setMissing(problem)
    if (proof) void proving.run(proof)
  }

  function change(to: Way) {
    begin()
    setWay(to)
  }

  async function usePasskey() {
    begin()
    setUnused((await provingByPasskey.run()) === false)
  }

  const error = proving.error ?? provingByPasskey.error
  const offer = canUsePasskey && (
    <Button
      look={isPasskeyFirst ? 'primary' : 'plain'}
      isBusy={provingByPasskey.isRunning}
      onClick={() => void usePasskey()}
    >
      {provingByPasskey.isRunning ? say('Waiting for your passkey…') : say('Use a passkey')}
    </Button>
  )
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="svc-stack">
      {isPasskeyFirst && offer}
      <FocusOnChange of={way}>
        {way === 'recoveryCode' && <RecoveryCodeField />}
        {way === 'code' && !hasNoField && (
          <CodeField hint={say('The six digits in your authenticator app.')} />
        )}
      </FocusOnChange>
      <Outcome
        problem={missing || (error ? failure(error) : '')}
        done={isUnused ? noPasskeyUsed(say) : ''}
      />
      <div className="svc-row svc-row-grow">
        {!hasNoField && (
          <Button
            type="submit"
            look={isPasskeyFirst ? 'plain' : 'primary'}
            isBusy={proving.isRunning}
          >
            {proving.isRunning ? busyLabel : label}
          </Button>
        )}
        {children}
      </div>
      {!isPasskeyFirst && offer}
      <p className="svc-small">
        {way === 'code' ? (
          <QuietButton onClick={() => change('recoveryCode')}>
            {say('Use a recovery code')}
          </QuietButton>
        ) : (
          <QuietButton onClick={() => change('code')}>
            {hasApp === false ? say('Without a recovery code') : say('Use your authenticator app')}
          </QuietButton>
        )}
      </p>
      {way === 'recoveryCode' && (
        <p className="svc-note">
          {say('Lost all of these? Ask the people who run this site to help you sign in.')}
        </p>
      )}
    </form>
  )
}
