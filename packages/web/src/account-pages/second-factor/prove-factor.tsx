import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { StepUpDialog } from '../../account/account.ts'
import { noPasskeyUsed } from '../failures/passkey-sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { Say } from '../words/say.ts'

type FactorDialog = Extract<StepUpDialog, { kind: 'factor' }>

interface Props {
  factor: Pick<FactorDialog, 'canUsePasskey' | 'proving' | 'provingByPasskey'>
  /** Whether the account has an authenticator app; null if it is not known. */
  hasApp: boolean | null
  failure: (error: unknown) => string
  /** The texts on the button: before, and while the code is checked. */
  label: string
  busyLabel: string
  /** Beside the button: how to cancel. */
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
        {way === 'recoveryCode' && <RecoveryCodeField problem={missing} />}
        {way === 'code' && !hasNoField && (
          <CodeField hint={say('The six digits in your authenticator app.')} problem={missing} />
        )}
      </FocusOnChange>
      <Outcome problem={error ? failure(error) : ''} done={isUnused ? noPasskeyUsed(say) : ''} />
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

/** The field for the six digits of an authenticator app. It has room for pasted spaces. */
export function CodeField(about: { hint: string; problem: string }) {
  const say = useSay()
  return (
    <Field
      label={say('Code')}
      name="code"
      look="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      placeholder="000000"
      {...about}
    />
  )
}

function RecoveryCodeField({ problem }: { problem: string }) {
  const say = useSay()
  return (
    <Field
      label={say('Recovery code')}
      name="recoveryCode"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      placeholder="xxxxx-xxxxx"
      hint={say('One of the ten codes that you saved. Each works once.')}
      problem={problem}
    />
  )
}

/**
 * Moves the focus to the first field or button of a form, when it is known and when it changes. A
 * user who has begun to type keeps the focus.
 */
function useFirstFocus(first: 'unknown' | 'passkey' | 'field') {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const input = form.current?.querySelector('input')
    if (first === 'unknown' || input?.value) return
    if (first === 'field') input?.focus()
    else form.current?.querySelector('button')?.focus()
  }, [first])
  return form
}

/** How a second step is typed in. */
export type Way = 'code' | 'recoveryCode'

/** The input in the form that the API takes, or a sentence about what is wrong with it. */
export function typedProof(say: Say, way: Way, typed: string) {
  if (way === 'code') {
    const code = authenticatorCode(typed)
    return code ? { proof: { code }, problem: '' } : { proof: null, problem: say(noCode) }
  }
  const code = recoveryCode(typed)
  return code
    ? { proof: { recoveryCode: code }, problem: '' }
    : { proof: null, problem: say(noRecovery) }
}

/** The message for anything but the digits of an authenticator app. */
export const noCode = 'A code has six digits.'
const noRecovery = 'A recovery code has ten letters and digits.'

/** Six digits, typed or pasted; null for anything else. */
export function authenticatorCode(typed: string) {
  const code = typed.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(code) ? code : null
}

/** `xxxxx-xxxxx`, typed or pasted; null for anything else. */
function recoveryCode(typed: string) {
  const code = typed.replace(/[\s\p{Pd}]/gu, '').toLowerCase()
  return /^[a-z0-9]{10}$/.test(code) ? `${code.slice(0, 5)}-${code.slice(5)}` : null
}

/** A secret in groups of four, so that a person can read and type it. */
export function inGroups(secret: string) {
  return secret.replace(/.{4}(?=.)/g, '$& ')
}
