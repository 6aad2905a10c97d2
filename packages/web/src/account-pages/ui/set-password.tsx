import { type FormEvent, type ReactNode, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
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

/** Asks a user who has proved their address for the password that goes with it. */
export function SetPassword({ email, setting, label, busyLabel, ...given }: Props) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = formText(new FormData(event.currentTarget), 'password')
    setMissing(password ? '' : say('Choose a password.'))
    if (password) void setting.run(password)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      {given.children}
      {/* Where a password manager looks for whose password it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <PasswordField
        label={say('Password')}
        name="password"
        autoComplete="new-password"
        hint={passwordRule(say)}
      />
      <Outcome problem={missing || (setting.error ? given.failure(setting.error) : '')} />
      {given.wayOn}
      <Button type="submit" look="primary" isBusy={setting.isRunning}>
        {setting.isRunning ? busyLabel : label}
      </Button>
    </form>
  )
}
