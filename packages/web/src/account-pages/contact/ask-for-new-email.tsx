import { type FormEvent, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import type { Say } from '../words/say.ts'

interface Props {
  /** The address that the account has. */
  current: string
  sending: Action<[email: string], unknown>
}

export function AskForNewEmail({ current, sending }: Props) {
  const say = useSay()
  const [problem, setProblem] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = formText(new FormData(event.currentTarget), 'email').trim()
    const found = problemOf(say, email, current)
    setProblem(found)
    sending.reset()
    if (!found) void sending.run(email)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <Field
        label={say('New email')}
        name="email"
        type="email"
        autoComplete="email"
        hint={say('We send a code to this address, to check that it is yours.')}
      />
      <Outcome problem={problem || (sending.error ? codeFailure(say, sending.error) : '')} />
      <Button type="submit" look="primary" isBusy={sending.isRunning}>
        {sending.isRunning ? say('Sending…') : say('Send code')}
      </Button>
    </form>
  )
}

function problemOf(say: Say, email: string, current: string) {
  if (!email) return say('Enter the new email.')
  const isSame = email.toLowerCase() === current.toLowerCase()
  return isSame ? say('This is already your email. Enter another one.') : ''
}
