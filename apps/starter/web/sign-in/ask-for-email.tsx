import type { Action } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { type Email, EmailField } from './email-field.tsx'
import { codeFailure } from './sign-in-failure.ts'

interface Props extends Email {
  sending: Action<[email: string], unknown>
  /** On the button. */
  label: string
  hint?: string
}

/** Asks for the address that a code or a link goes to. */
export function AskForEmail({ sending, label, hint, ...address }: Props) {
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = formText(new FormData(event.currentTarget), 'email').trim()
    setMissing(email ? '' : 'Enter your email.')
    if (email) void sending.run(email)
  }

  const problem = missing || (sending.error ? codeFailure(sending.error) : '')
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <EmailField {...address} hint={hint} />
      <Outcome problem={problem} />
      <Button type="submit" look="primary" isBusy={sending.isRunning}>
        {sending.isRunning ? 'Sending…' : label}
      </Button>
    </form>
  )
}
