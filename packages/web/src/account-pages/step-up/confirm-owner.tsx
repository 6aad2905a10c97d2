import { type FormEvent, type ReactNode, useState } from 'react'
import type { StepUpDialog } from '../../account/account.ts'
import { stepUpFailure } from '../failures/factor-failure.ts'
import { noPasskeyUsed } from '../failures/passkey-sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { CodeField } from '../second-factor/prove-factor.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'

interface Props {
  dialog: Extract<StepUpDialog, { kind: 'password' }>
  /** Beside the button: a way to cancel. */
  children: ReactNode
}

/** Asks the signed-in user for their password, a passkey, or a code that is sent to them. */
export function ConfirmOwner({ dialog, children }: Props) {
  const say = useSay()
  const { ways, canUsePasskey, confirming, confirmingByPasskey, confirmingByCode, sending } = dialog
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [missing, setMissing] = useState('')
  const [isUnused, setUnused] = useState(false)
  const way = sentTo !== null ? 'code' : ways?.hasPassword ? 'password' : null
  const actions = [confirming, confirmingByPasskey, confirmingByCode, sending]

  function begin() {
    setMissing('')
    setUnused(false)
    for (const { reset } of actions) reset()
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    begin()
    if (!way) return
    const given = formText(new FormData(event.currentTarget), way)
    if (!given) setMissing(way === 'code' ? say('Enter the code.') : say('Enter your password.'))
    else void (way === 'code' ? confirmingByCode : confirming).run(given)
  }

  async function send() {
    begin()
    const target = await sending.run()
    if (target) setSentTo(target)
  }

  async function usePasskey() {
    begin()
    setUnused((await confirmingByPasskey.run()) === false)
  }

  const error = actions.map((action) => action.error).find(Boolean)
  const isBusy = confirming.isRunning || confirmingByCode.isRunning
  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <FocusOnChange of={way ?? ''}>
        {way === 'password' && (
          <PasswordField
            label={say('Your password')}
            name="password"
            autoComplete="current-password"
            problem={missing}
          />
        )}
        {sentTo !== null && (
          <CodeField hint={say('We sent it to {sentTo}.', { sentTo })} problem={missing} />
        )}
      </FocusOnChange>
      <Outcome
        problem={error ? stepUpFailure(say, error) : ''}
        done={isUnused ? noPasskeyUsed(say) : ''}
      />
      <div className="svc-row svc-row-grow">
        {way && (
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? say('Checking…') : say('Continue')}
          </Button>
        )}
        {children}
      </div>
      {canUsePasskey && (
        <Button
          look={way ? 'plain' : 'primary'}
          isBusy={confirmingByPasskey.isRunning}
          onClick={() => void usePasskey()}
        >
          {confirmingByPasskey.isRunning ? say('Waiting for your passkey…') : say('Use a passkey')}
        </Button>
      )}
      {ways?.codeTarget && (
        <p className="svc-small">
          <QuietButton isBusy={sending.isRunning} onClick={() => void send()}>
            {way === 'code'
              ? say('Send another code')
              : say('Send a code to {target}', { target: ways.codeTarget })}
          </QuietButton>
        </p>
      )}
      {ways && !way && !ways.codeTarget && canUsePasskey === false && (
        <p className="svc-note">{say('Sign out, sign in again, and come back to this page.')}</p>
      )}
    </form>
  )
}
