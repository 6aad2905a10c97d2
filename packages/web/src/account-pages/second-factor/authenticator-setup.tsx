import { type FormEvent, type ReactNode, useState } from 'react'
import { encode } from 'uqr'
import type { Action } from '../../account/account.ts'
import { setupFailure } from '../failures/factor-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { useCopy } from '../ui/copy.ts'
import { formText } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { authenticatorCode, CodeField, inGroups, noCode } from './prove-factor.tsx'

interface AuthenticatorSetupProps {
  enrolment: { secret: string; otpauthUri: string }
  confirming: Action<[code: string], unknown>
  onCancel: () => void
}

/** Shows the secret for an authenticator app, and asks for the first code that the app makes. */
export function AuthenticatorSetup({ enrolment, confirming, onCancel }: AuthenticatorSetupProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const code = authenticatorCode(formText(new FormData(event.currentTarget), 'code'))
    confirming.reset()
    setMissing(code ? '' : say(noCode))
    if (code) void confirming.run(code)
  }

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
            <CodeField
              hint={say('Six digits. The app shows a new code every 30 seconds.')}
              problem={missing}
            />
            <Outcome problem={confirming.error ? setupFailure(say, confirming.error) : ''} />
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

interface ManualSecretProps {
  secret: string
  /** The address that opens an app on this device. */
  otpauthUri: string
}

/** For an app on this device, or one without a camera. */
function ManualSecret({ secret, otpauthUri }: ManualSecretProps) {
  const say = useSay()
  const { copy, ...copied } = useCopy()
  return (
    <div className="svc-stack svc-stack-3 svc-start svc-small svc-shrink">
      <a href={otpauthUri} className="svc-link">
        {say('Open in your authenticator app')}
      </a>
      <p>{say('Or type this key into the app:')}</p>
      <code className="svc-secret">{inGroups(secret)}</code>
      <Button onClick={() => void copy(secret)}>{say('Copy the key')}</Button>
      <Outcome {...copied} />
    </div>
  )
}

/** Always dark on white, also on a dark page: not every camera reads inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = qrPath(text)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="svc-qr"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

// Readers look for four light modules around a code (ISO/IEC 18004).
const quietModules = 4

/** A QR code as one path of an SVG whose viewBox is `0 0 size size`: a run of dark modules is a rectangle. */
export function qrPath(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: quietModules })
  const path = data
    .map((row, y) =>
      darkRuns(row)
        .map((run) => rectangle(run, y))
        .join(''),
    )
    .join('')
  return { size, path }
}

interface Run {
  x: number
  length: number
}

function darkRuns(row: boolean[]) {
  const runs: Run[] = []
  row.forEach((isDark, x) => {
    const last = runs.at(-1)
    if (isDark && last && last.x + last.length === x) last.length += 1
    else if (isDark) runs.push({ x, length: 1 })
  })
  return runs
}

function rectangle({ x, length }: Run, y: number) {
  return `M${x} ${y}h${length}v1h-${length}z`
}
