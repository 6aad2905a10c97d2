import { type FormEvent, useState } from 'react'
import type { Action, SentCode, useEmailCode } from '../../account/account.ts'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { MailboxHint } from '../ui/mailbox-hint.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { clockTime } from '../ui/time.tsx'
import { type Email, EmailField } from './email-field.tsx'

interface AskForEmailProps extends Email {
  sending: Action<[email: string], unknown>
  /** On the button. */
  label: string
  hint?: string
}

/** Asks for the address that a code or a link goes to. */
export function AskForEmail({ sending, label, hint, ...address }: AskForEmailProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const email = formText(new FormData(event.currentTarget), 'email').trim()
    sending.reset()
    setMissing(email ? '' : say('Enter your email.'))
    if (email) void sending.run(email)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} hint={hint} problem={missing} />
      <Outcome problem={sending.error ? codeFailure(say, sending.error) : ''} />
      <Button type="submit" look="primary" isBusy={sending.isRunning}>
        {sending.isRunning ? say('Sending…') : label}
      </Button>
    </form>
  )
}

interface EnterCodeProps extends Pick<ReturnType<typeof useEmailCode>, 'sending' | 'verifying'> {
  sent: SentCode
  /** The texts on the button: before, and while the code is checked. */
  label: string
  busyLabel: string
  failure: (error: unknown) => string
  /** Asks for an address again, if there is such a step. */
  onStartOver?: () => void
}

/** Asks for the code that was sent. */
export function EnterCode({ sent, sending, verifying, label, busyLabel, ...rest }: EnterCodeProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')
  const [again, setAgain] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // The user may have pasted it with spaces.
    const code = formText(new FormData(event.currentTarget), 'code').replace(/\s/g, '')
    const isCode = /^\d{6}$/.test(code)
    setAgain('')
    verifying.reset()
    setMissing(isCode ? '' : say('A code has six digits.'))
    if (isCode) void verifying.run(code)
  }

  async function sendAnother() {
    setMissing('')
    setAgain('')
    verifying.reset()
    if (await sending.run(sent.email)) setAgain(say('We sent another code.'))
  }

  const error = verifying.error ?? sending.error
  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <Field
        label={say('Code')}
        name="code"
        look="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        hint={<Whereabouts {...sent} />}
        problem={missing}
      />
      <Outcome problem={error ? rest.failure(error) : ''} done={again} />
      <Button type="submit" look="primary" isBusy={verifying.isRunning}>
        {verifying.isRunning ? busyLabel : label}
      </Button>
      <div className="svc-form-links">
        <QuietButton isBusy={sending.isRunning} onClick={() => void sendAnother()}>
          {sending.isRunning ? say('Sending…') : say('Send another code')}
        </QuietButton>
        {rest.onStartOver && (
          <QuietButton onClick={rest.onStartOver}>{say('Use another address')}</QuietButton>
        )}
      </div>
    </form>
  )
}

function Whereabouts({ email, expiresAt }: SentCode) {
  const say = useSay()
  return (
    <>
      {say.nodes(
        'Enter the six digits that we sent to {email}. They expire at {expiresAt}. {mailboxHint}',
        {
          email: <span className="svc-ink svc-break">{email}</span>,
          expiresAt: clockTime(say, expiresAt),
          mailboxHint: <MailboxHint />,
        },
      )}
    </>
  )
}
