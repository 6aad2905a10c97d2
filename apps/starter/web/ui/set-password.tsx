import type { Action } from '@svc/web/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { formText } from './form-text.ts'
import { Outcome } from './outcome.tsx'
import { PasswordField } from './password-field.tsx'
import { passwordRule } from './password-rules.ts'

interface Props {
  /** Whose password it is. */
  email: string
  setting: Action<[password: string], unknown>
  /** On the button, and there while the password is being set. */
  label: string
  busyLabel: string
  failure: (error: unknown) => string
  /** Above the field. */
  children?: ReactNode
  /** Below what went wrong: a way on. */
  wayOn?: ReactNode
}

/** Asks somebody who has proved their address for the password that goes with it. */
export function SetPassword({ email, setting, label, busyLabel, ...given }: Props) {
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = formText(new FormData(event.currentTarget), 'password')
    setMissing(password ? '' : 'Choose a password.')
    if (password) void setting.run(password)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      {given.children}
      {/* Where a password manager looks for whose password it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint={passwordRule}
      />
      <Outcome problem={missing || (setting.error ? given.failure(setting.error) : '')} />
      {given.wayOn}
      <Button type="submit" look="primary" isBusy={setting.isRunning}>
        {setting.isRunning ? busyLabel : label}
      </Button>
    </form>
  )
}
