import type { Action } from '@svc/web/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { stepUpFailure } from '../second-factor/factor-failure.ts'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'

interface Props {
  confirming: Action<[password: string], unknown>
  /** Beside the button: a way out. */
  children: ReactNode
}

/** Asks for the password of whoever is signed in. */
export function ConfirmPassword({ confirming, children }: Props) {
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = formText(new FormData(event.currentTarget), 'password')
    setMissing(password ? '' : 'Enter your password.')
    if (password) void confirming.run(password)
  }

  const problem = missing || (confirming.error ? stepUpFailure(confirming.error) : '')
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        hint="You have none? Sign out and in again, and come back."
      />
      <Outcome problem={problem} />
      <div className="flex flex-wrap gap-3 *:grow">
        <Button type="submit" look="primary" isBusy={confirming.isRunning}>
          {confirming.isRunning ? 'Looking at it…' : 'Continue'}
        </Button>
        {children}
      </div>
    </form>
  )
}
