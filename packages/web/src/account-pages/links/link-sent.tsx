import { type ReactNode, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import type { RequestedLink } from '../../account/use-link-request.ts'
import { codeFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { MailboxHint } from '../ui/mailbox-hint.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { useHasPassed } from '../ui/use-has-passed.ts'

// A mail needs its time, and another link makes the one in it worthless.
const patienceMillis = 30_000

interface Props {
  sent: RequestedLink
  sending: Action<[email: string], unknown>
  onStartOver: () => void
  /** What else one may want to know of the message. */
  children?: ReactNode
}

/** Says that a link is on its way, whether or not there is anybody to get it. */
export function LinkSent({ sent, sending, onStartOver, children }: Props) {
  const say = useSay()
  const [again, setAgain] = useState('')
  const maySend = useHasPassed(patienceMillis, sent)

  async function sendAnother() {
    setAgain('')
    if (await sending.run(sent.email)) {
      setAgain(say('We sent another link. The old one no longer works.'))
    }
  }

  return (
    <div className="svc-stack">
      <h2 tabIndex={-1} className="svc-title">
        {say('Check your mail')}
      </h2>
      <p className="svc-paragraph">
        {say.nodes('We sent a message to {email}. Its link works once, until {expiresAt}.', {
          email: <strong className="svc-strong svc-break">{sent.email}</strong>,
          expiresAt: clockTime.format(sent.expiresAt),
        })}{' '}
        {children}
      </p>
      <p className="svc-note svc-paragraph">
        <MailboxHint />
      </p>
      <Outcome problem={sending.error ? codeFailure(say, sending.error) : ''} done={again} />
      <div className="svc-form-links">
        <QuietButton
          isBusy={sending.isRunning || !maySend}
          onClick={() => maySend && void sendAnother()}
        >
          {sending.isRunning ? say('Sending…') : say('Send another link')}
        </QuietButton>
        <QuietButton onClick={onStartOver}>{say('Use another address')}</QuietButton>
      </div>
      {!maySend && <p className="svc-note">{say('You can send another link in 30 seconds.')}</p>}
    </div>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
