import { type FormEvent, useState } from 'react'
import { useChangeEmail } from '../../account/use-contact-change.ts'
import type { ProvenEmail } from '../../account/use-email-code.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { changeFailure } from './contact-failure.ts'

interface Props {
  proven: ProvenEmail
  /** The address that the account has. */
  current: string
  hasPassword: boolean
  onChanged: (email: string) => void
  onStartOver: () => void
}

/** The last step. An account that has no password is not asked for one. */
export function ConfirmChange({ proven, current, hasPassword, onChanged, onStartOver }: Props) {
  const say = useSay()
  const [missing, setMissing] = useState('')
  const { run, error, isRunning } = useChangeEmail({ onChanged })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const currentPassword = formText(new FormData(event.currentTarget), 'currentPassword')
    const isComplete = currentPassword !== '' || !hasPassword
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
      {/* Where a password manager looks for whose password it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={current} />
      {hasPassword && (
        <PasswordField
          label={say('Current password')}
          name="currentPassword"
          autoComplete="current-password"
        />
      )}
      <Outcome problem={missing || (error ? changeFailure(say, error) : '')} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? say('Changing it…') : say('Change email')}
      </Button>
    </form>
  )
}
