import { type FormEvent, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { type Email, EmailField } from './email-field.tsx'

interface Props extends Email {
  sending: Action<[email: string], unknown>
  /** On the button. */
  label: string
  hint?: string
}

/** Asks for the address that a code or a link goes to. */
export function AskForEmail({ sending, label, hint, ...address }: Props) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = formText(new FormData(event.currentTarget), 'email').trim()
    setMissing(email ? '' : say('Enter your email.'))
    if (email) void sending.run(email)
  }

  const problem = missing || (sending.error ? codeFailure(say, sending.error) : '')
  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} hint={hint} />
      <Outcome problem={problem} />
      <Button type="submit" look="primary" isBusy={sending.isRunning}>
        {sending.isRunning ? say('Sending…') : label}
      </Button>
    </form>
  )
}
