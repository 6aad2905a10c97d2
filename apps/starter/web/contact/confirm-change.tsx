import { type ProvenEmail, useChangeEmail } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
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
  const [missing, setMissing] = useState('')
  const { run, error, isRunning } = useChangeEmail({ onChanged })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const currentPassword = formText(new FormData(event.currentTarget), 'currentPassword')
    const isComplete = currentPassword !== '' || !hasPassword
    setMissing(isComplete ? '' : 'Enter your password.')
    if (isComplete) void run({ ...proven, ...(hasPassword && { currentPassword }) })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <p tabIndex={-1} className="text-sm outline-none">
        <strong className="font-medium break-words">{proven.email}</strong> is yours.{' '}
        <QuietButton onClick={onStartOver}>Use another address</QuietButton>
      </p>
      {/* Where a password manager looks for whose password it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={current} />
      {hasPassword && (
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
        />
      )}
      <Outcome problem={missing || (error ? changeFailure(error) : '')} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? 'Changing it…' : 'Change email'}
      </Button>
    </form>
  )
}
