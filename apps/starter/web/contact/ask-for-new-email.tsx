import type { Action } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { codeFailure } from '../sign-in/sign-in-failure.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'

interface Props {
  /** The address that the account has. */
  current: string
  sending: Action<[email: string], unknown>
}

export function AskForNewEmail({ current, sending }: Props) {
  const [problem, setProblem] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = formText(new FormData(event.currentTarget), 'email').trim()
    const found = problemOf(email, current)
    setProblem(found)
    sending.reset()
    if (!found) void sending.run(email)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label="New email"
        name="email"
        type="email"
        autoComplete="email"
        hint="We send a code to this address, to check that it is yours."
      />
      <Outcome problem={problem || (sending.error ? codeFailure(sending.error) : '')} />
      <Button type="submit" look="primary" isBusy={sending.isRunning}>
        {sending.isRunning ? 'Sending…' : 'Send code'}
      </Button>
    </form>
  )
}

function problemOf(email: string, current: string) {
  if (!email) return 'Enter the new email.'
  const isSame = email.toLowerCase() === current.toLowerCase()
  return isSame ? 'This is already your email. Enter another one.' : ''
}
