import { type ReactNode, useState } from 'react'
import type { Action, RequestedLink, useSignupLink } from '../../account/account.ts'
import { AskForEmail } from '../codes/email-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { MailboxHint } from '../ui/mailbox-hint.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { clockTime, useHasPassed } from '../ui/time.tsx'

interface RequestLinkProps {
  /** What `useSignupLink` or `usePasswordReset` returns. */
  request: ReturnType<typeof useSignupLink>
  /** The initial value of the field. */
  email?: string | undefined
  /** Beneath the field. */
  hint: string
  /** Shown once the link was sent. */
  children?: ReactNode
}

/** Asks for an address, and then says that a link was sent there. */
export function RequestLink({ request, email: initial = '', hint, children }: RequestLinkProps) {
  const say = useSay()
  const { sent, sending, startOver } = request
  const [email, onEmail] = useState(initial)
  return (
    <FocusOnChange of={sent ? 'sent' : 'email'}>
      {sent ? (
        <LinkSent {...{ sent, sending, children }} onStartOver={startOver} />
      ) : (
        <AskForEmail {...{ email, onEmail, sending, hint }} label={say('Send link')} />
      )}
    </FocusOnChange>
  )
}

// A mail takes some time, and a new link ends the one in it.
const patienceMillis = 30_000

interface LinkSentProps {
  sent: RequestedLink
  sending: Action<[email: string], unknown>
  onStartOver: () => void
  /** More information about the message. */
  children?: ReactNode
}

/** Says that a link is on its way, whether or not the address has an account. */
function LinkSent({ sent, sending, onStartOver, children }: LinkSentProps) {
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
          expiresAt: clockTime(say, sent.expiresAt),
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
