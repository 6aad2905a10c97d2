'use client'

import type { WeakPasswordError } from '@svc/auth'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { Action } from '../../account/account.ts'
import { useSay } from '../provider/account-provider.tsx'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'
import { Button } from './button.tsx'
import { formText } from './field.tsx'
import { Outcome } from './outcome.tsx'
import { PasswordField } from './password-field.tsx'

interface SetPasswordProps {
  /** The address of the account. */
  email: string
  setting: Action<[password: string], unknown>
  /** The texts on the button: before, and while the password is being set. */
  label: string
  busyLabel: string
  failure: (error: unknown) => string
  /** Above the field. */
  children?: ReactNode
  /** Below the error: how to go on. */
  wayOn?: ReactNode
}

/** Asks a user who has proved their address for a password. */
export function SetPassword({ email, setting, label, busyLabel, ...given }: SetPasswordProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = formText(new FormData(event.currentTarget), 'password')
    setting.reset()
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
        problem={missing}
      />
      <Outcome problem={setting.error ? given.failure(setting.error) : ''} />
      {given.wayOn}
      <Button type="submit" look="primary" isBusy={setting.isRunning}>
        {setting.isRunning ? busyLabel : label}
      </Button>
    </form>
  )
}

type Reason = WeakPasswordError['reasons'][number]

/** Shown before a password is refused. */
export function passwordRule(say: Say) {
  return say('Use 8 to 256 characters. Don’t choose a common password.')
}

const sentences: Record<Reason, AccountSentence> = {
  too_short: 'It has fewer than 8 characters.',
  too_long: 'It has more than 256 characters.',
  common: 'It is too easy to guess.',
  account_name: 'It is your email or your username.',
  breached: 'It is in a public list of leaked passwords.',
}

/** Why a password was refused, in sentences. */
export function weakPasswordWords(say: Say, { reasons }: Pick<WeakPasswordError, 'reasons'>) {
  // A newer API may know a reason that this page does not.
  const known = reasons
    .map((reason) => sentences[reason])
    .filter(Boolean)
    .map((each) => say(each))
  return [
    ...(known.length > 0 ? known : [say('It is not safe enough.')]),
    say('Choose another one.'),
  ].join(' ')
}
