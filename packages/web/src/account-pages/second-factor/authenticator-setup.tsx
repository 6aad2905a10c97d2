import { type FormEvent, type ReactNode, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import { setupFailure } from '../failures/factor-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { CodeField } from './code-field.tsx'
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
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = authenticatorCode(formText(new FormData(event.currentTarget), 'code'))
    setMissing(code ? '' : say(noCode))
    if (code) void confirming.run(code)
  }

  const problem = missing || (confirming.error ? setupFailure(say, confirming.error) : '')
  return (
    <section className="svc-sheet">
      <h2 tabIndex={-1} className="svc-title">
        {say('Set up your authenticator app')}
      </h2>
      <ol className="svc-stack svc-stack-6 svc-above-5">
        <Step number={1} title={say('Scan this with the app')}>
          <div className="svc-scan">
            <QrCode text={enrolment.otpauthUri} label={say('QR code for your authenticator app')} />
            <div className="svc-entry-text">
              <ManualSecret {...enrolment} />
            </div>
          </div>
        </Step>
        <Step number={2} title={say('Enter the code that it shows')}>
          <form method="post" noValidate onSubmit={submit} className="svc-stack svc-narrow">
            <CodeField hint={say('Six digits. The app shows a new code every 30 seconds.')} />
            <Outcome problem={problem} />
            <div className="svc-row">
              <Button type="submit" look="primary" isBusy={confirming.isRunning}>
                {confirming.isRunning ? say('Checking…') : say('Turn it on')}
              </Button>
              <Button onClick={onCancel}>{say('Cancel')}</Button>
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
    <li className="svc-stack svc-stack-3">
      <h3 className="svc-step-title">
        <span aria-hidden="true" className="svc-step-number">
          {number}
        </span>
        {title}
      </h3>
      {children}
    </li>
  )
}
