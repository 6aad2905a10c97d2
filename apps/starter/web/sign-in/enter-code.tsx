import type { SentCode, useEmailCode } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { MailboxHint } from '../links/mailbox-hint.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'

interface Props extends Pick<ReturnType<typeof useEmailCode>, 'sending' | 'verifying'> {
  sent: SentCode
  /** On the button, and there while the code is looked at. */
  label: string
  busyLabel: string
  failure: (error: unknown) => string
  /** Back to the question for an address, where there is one. */
  onStartOver?: () => void
}

/** Asks for the code that was sent. */
export function EnterCode({ sent, sending, verifying, label, busyLabel, ...rest }: Props) {
  const [missing, setMissing] = useState('')
  const [again, setAgain] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    // As it may have been pasted.
    const code = formText(new FormData(event.currentTarget), 'code').replace(/\s/g, '')
    const isCode = /^\d{6}$/.test(code)
    setAgain('')
    setMissing(isCode ? '' : 'A code has six digits.')
    if (isCode) void verifying.run(code)
  }

  async function sendAnother() {
    setMissing('')
    setAgain('')
    verifying.reset()
    if (await sending.run(sent.email)) setAgain('We sent another code.')
  }

  const error = verifying.error ?? sending.error
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <Field
        label="Code"
        name="code"
        look="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        placeholder="000000"
        hint={<Whereabouts {...sent} />}
      />
      <Outcome problem={missing || (error ? rest.failure(error) : '')} done={again} />
      <Button type="submit" look="primary" isBusy={verifying.isRunning}>
        {verifying.isRunning ? busyLabel : label}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-6 text-sm">
        <QuietButton isBusy={sending.isRunning} onClick={() => void sendAnother()}>
          {sending.isRunning ? 'Sending…' : 'Send another code'}
        </QuietButton>
        {rest.onStartOver && (
          <QuietButton onClick={rest.onStartOver}>Use another address</QuietButton>
        )}
      </div>
    </form>
  )
}

function Whereabouts({ email, expiresAt }: SentCode) {
  return (
    <>
      Enter the six digits that we sent to <span className="break-words text-ink">{email}</span>.
      They expire at {clockTime.format(expiresAt)}. <MailboxHint />
    </>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
