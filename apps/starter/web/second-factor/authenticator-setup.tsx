import type { Action } from '@svc/web/react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { CodeField } from './code-field.tsx'
import { setupFailure } from './factor-failure.ts'
import { ManualSecret } from './manual-secret.tsx'
import { QrCode } from './qr-code.tsx'
import { authenticatorCode, noCode } from './typed-codes.ts'

interface Props {
  enrolment: { secret: string; otpauthUri: string }
  confirming: Action<[code: string], unknown>
  onCancel: () => void
}

/** Gives an authenticator app its secret, and asks for the first code that it makes of it. */
export function AuthenticatorSetup({ enrolment, confirming, onCancel }: Props) {
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = authenticatorCode(formText(new FormData(event.currentTarget), 'code'))
    setMissing(code ? '' : noCode)
    if (code) void confirming.run(code)
  }

  const problem = missing || (confirming.error ? setupFailure(confirming.error) : '')
  return (
    <section className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Set up your authenticator app
      </h2>
      <ol className="mt-5 grid gap-6">
        <Step number={1} title="Scan this with the app">
          <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
            <QrCode text={enrolment.otpauthUri} label="QR code for your authenticator app" />
            <div className="min-w-0 flex-1 basis-48">
              <ManualSecret {...enrolment} />
            </div>
          </div>
        </Step>
        <Step number={2} title="Enter the code that it shows">
          <form method="post" noValidate onSubmit={submit} className="grid max-w-sm gap-4">
            <CodeField hint="Six digits. The app shows a new code every 30 seconds." />
            <Outcome problem={problem} />
            <div className="flex flex-wrap gap-3">
              <Button type="submit" look="primary" isBusy={confirming.isRunning}>
                {confirming.isRunning ? 'Checking…' : 'Turn it on'}
              </Button>
              <Button onClick={onCancel}>Cancel</Button>
            </div>
          </form>
        </Step>
      </ol>
    </section>
  )
}

interface StepProps {
  number: number
  title: string
  children: ReactNode
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid gap-3">
      <h3 className="flex items-center gap-3 font-medium text-sm">
        <span
          aria-hidden="true"
          className="grid size-6 shrink-0 place-items-center rounded-full bg-fresh text-sm"
        >
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}
