import type { Action, RequestedLink } from '@svc/web/react'
import { type ReactNode, useState } from 'react'
import { codeFailure } from '../sign-in/sign-in-failure.ts'
import { Outcome } from '../ui/outcome.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { useHasPassed } from '../ui/use-has-passed.ts'
import { MailboxHint } from './mailbox-hint.tsx'

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
  const [again, setAgain] = useState('')
  const maySend = useHasPassed(patienceMillis, sent)

  async function sendAnother() {
    setAgain('')
    if (await sending.run(sent.email)) {
      setAgain('We sent another link. The old one no longer works.')
    }
  }

  return (
    <div className="grid gap-4">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Check your mail
      </h2>
      <p className="text-sm leading-relaxed">
        We sent a message to <strong className="font-medium break-words">{sent.email}</strong>. Its
        link works once, until {clockTime.format(sent.expiresAt)}. {children}
      </p>
      <p className="text-faded text-sm leading-relaxed">
        <MailboxHint />
      </p>
      <Outcome problem={sending.error ? codeFailure(sending.error) : ''} done={again} />
      <div className="flex flex-wrap justify-between gap-x-6 text-sm">
        <QuietButton
          isBusy={sending.isRunning || !maySend}
          onClick={() => maySend && void sendAnother()}
        >
          {sending.isRunning ? 'Sending…' : 'Send another link'}
        </QuietButton>
        <QuietButton onClick={onStartOver}>Use another address</QuietButton>
      </div>
      {!maySend && <p className="text-faded text-sm">You can send another link in 30 seconds.</p>}
    </div>
  )
}

const clockTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
