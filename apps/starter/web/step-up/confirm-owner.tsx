import type { StepUpDialog } from '@svc/web/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { noPasskeyUsed } from '../passkeys/no-passkey-used.ts'
import { CodeField } from '../second-factor/code-field.tsx'
import { stepUpFailure } from '../second-factor/factor-failure.ts'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'

interface Props {
  dialog: Extract<StepUpDialog, { kind: 'password' }>
  /** Beside the button: a way to cancel. */
  children: ReactNode
}

/** Asks the signed-in user for their password, a passkey, or a code that is sent to them. */
export function ConfirmOwner({ dialog, children }: Props) {
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
    if (!given) setMissing(way === 'code' ? 'Enter the code.' : 'Enter your password.')
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
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <FocusOnChange of={way ?? ''}>
        {way === 'password' && (
          <PasswordField label="Your password" name="password" autoComplete="current-password" />
        )}
        {way === 'code' && <CodeField hint={`We sent it to ${sentTo}.`} />}
      </FocusOnChange>
      <Outcome
        problem={missing || (error ? stepUpFailure(error) : '')}
        done={isUnused ? noPasskeyUsed : ''}
      />
      <div className="flex flex-wrap gap-3 *:grow">
        {way && (
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? 'Checking…' : 'Continue'}
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
          {confirmingByPasskey.isRunning ? 'Waiting for your passkey…' : 'Use a passkey'}
        </Button>
      )}
      {ways?.codeTarget && (
        <p className="text-sm">
          <QuietButton isBusy={sending.isRunning} onClick={() => void send()}>
            {way === 'code' ? 'Send another code' : `Send a code to ${ways.codeTarget}`}
          </QuietButton>
        </p>
      )}
      {ways && !way && !ways.codeTarget && canUsePasskey === false && (
        <p className="text-faded text-sm">Sign out, sign in again, and come back to this page.</p>
      )}
    </form>
  )
}
