'use client'

import { useRouter } from 'next/navigation.js'
import { type FormEvent, useState } from 'react'
import {
  type Action,
  type ProvenEmail,
  useChangeEmail,
  useEmailCode,
} from '../../account/account.ts'
import { EnterCode } from '../codes/email-code.tsx'
import { codeFailure } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button, QuietButton, TextLink } from '../ui/button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { Steps } from '../ui/steps.tsx'
import type { Say } from '../words/say.ts'
import { changeFailure } from './contact-failure.ts'

interface ChangeEmailViewProps extends PageSlots {
  email: string
  hasPassword: boolean
}

/** Changes the email of the account. */
export function ChangeEmailView({ email, hasPassword, ...slots }: ChangeEmailViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Change your email')}
      about={say(
        'You sign in with this address and get messages there. Your devices stay signed in.',
      )}
      {...slots}
    >
      <div className="svc-sheet">
        <ChangeEmail current={email} hasPassword={hasPassword} />
      </div>
    </AccountPage>
  )
}

interface ChangeEmailProps {
  /** The current address of the account; empty if it has none. */
  current: string
  hasPassword: boolean
}

/** Changes the address of an account in three steps. */
function ChangeEmail({ current, hasPassword }: ChangeEmailProps) {
  const say = useSay()
  const router = useRouter()
  // Once it is changed, the page is rendered with the new one.
  const [before] = useState(current)
  const [proven, setProven] = useState<ProvenEmail | null>(null)
  const [changed, setChanged] = useState<string | null>(null)
  const code = useEmailCode({ purpose: 'email_change', onProven: setProven })
  const last = hasPassword ? 'Password' : 'Confirm'
  const steps = ['New email', 'Code', last] as const

  function startOver() {
    setProven(null)
    code.startOver()
  }

  function onChanged(email: string) {
    setChanged(email)
    // The frame around the page shows the address of the account.
    router.refresh()
  }

  const step = proven ? last : code.sent ? 'Code' : 'New email'
  return (
    <FocusOnChange of={changed ?? step}>
      {changed === null ? (
        <div className="svc-stack svc-stack-6 svc-narrow">
          <Steps names={steps} current={steps.indexOf(step)} />
          {step === 'New email' && <AskForNewEmail current={before} sending={code.sending} />}
          {code.sent && step === 'Code' && (
            <EnterCode
              {...code}
              sent={code.sent}
              label={say('Continue')}
              busyLabel={say('Checking…')}
              failure={(error) => codeFailure(say, error)}
              onStartOver={startOver}
            />
          )}
          {proven && (
            <ConfirmChange
              {...{ proven, hasPassword, onChanged }}
              current={before}
              onStartOver={startOver}
            />
          )}
        </div>
      ) : (
        <EmailChanged before={before} now={changed} />
      )}
    </FocusOnChange>
  )
}

interface AskForNewEmailProps {
  /** The current address of the account. */
  current: string
  sending: Action<[email: string], unknown>
}

function AskForNewEmail({ current, sending }: AskForNewEmailProps) {
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
        problem={problem}
      />
      <Outcome problem={sending.error ? codeFailure(say, sending.error) : ''} />
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

interface ConfirmChangeProps {
  proven: ProvenEmail
  /** The current address of the account. */
  current: string
  hasPassword: boolean
  onChanged: (email: string) => void
  onStartOver: () => void
}

/** The last step. An account without a password is not asked for one. */
function ConfirmChange({
  proven,
  current,
  hasPassword,
  onChanged,
  onStartOver,
}: ConfirmChangeProps) {
  const say = useSay()
  const [missing, setMissing] = useState('')
  const { run, error, isRunning, reset } = useChangeEmail({ onChanged })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const currentPassword = formText(new FormData(event.currentTarget), 'currentPassword')
    const isComplete = currentPassword !== '' || !hasPassword
    reset()
    setMissing(isComplete ? '' : say('Enter your password.'))
    if (isComplete) void run({ ...proven, ...(hasPassword && { currentPassword }) })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <p tabIndex={-1} className="svc-small svc-focusable">
        {say.nodes('{email} is yours. <link>Use another address</link>', {
          email: <strong className="svc-strong svc-break">{proven.email}</strong>,
          link: (text) => <QuietButton onClick={onStartOver}>{text}</QuietButton>,
        })}
      </p>
      {/* A password manager needs it to know whose password this is. */}
      <input hidden readOnly type="email" autoComplete="username" value={current} />
      {hasPassword && (
        <PasswordField
          label={say('Current password')}
          name="currentPassword"
          autoComplete="current-password"
          problem={missing}
        />
      )}
      <Outcome problem={error ? changeFailure(say, error) : ''} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? say('Changing it…') : say('Change email')}
      </Button>
    </form>
  )
}

/** The result, and how to undo it. */
function EmailChanged({ before, now }: { before: string; now: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your email is changed')}
      </h2>
      <p>
        {say.nodes('You now sign in with {now} and get messages there.', {
          now: <strong className="svc-strong svc-break">{now}</strong>,
        })}
      </p>
      {before && (
        <p className="svc-faded">
          {say.nodes(
            'We sent a notice to {before}. If you did not make this change, the link in it undoes it within 72 hours.',
            { before: <span className="svc-ink svc-break">{before}</span> },
          )}
        </p>
      )}
      <p>
        <TextLink href={paths.profile}>{say('Back to your profile')}</TextLink>
      </p>
    </div>
  )
}
