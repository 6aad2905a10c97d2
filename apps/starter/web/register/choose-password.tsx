import { AccountAlreadyExistsError } from '@svc/auth'
import { type ProvenEmail, useRegister } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { passwordRule } from '../ui/password-rules.ts'
import { QuietButton } from '../ui/quiet-button.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { registerFailure } from './register-failure.ts'

interface Props {
  proven: ProvenEmail
  returnTo: string
  onRegistered: () => void
  onStartOver: () => void
}

/** The last step: what the account is kept with. */
export function ChoosePassword({ proven, returnTo, onRegistered, onStartOver }: Props) {
  const [missing, setMissing] = useState('')
  const { run, error, isRunning } = useRegister({ onRegistered })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = formText(new FormData(event.currentTarget), 'password')
    setMissing(password ? '' : 'Choose a password.')
    if (password) void run({ ...proven, password })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <p className="text-sm">
        <strong className="font-medium break-words">{proven.email}</strong> is yours.{' '}
        <QuietButton onClick={onStartOver}>Use another address</QuietButton>
      </p>
      {/* Where a password manager looks for whose password it is. */}
      <input hidden readOnly type="email" autoComplete="username" value={proven.email} />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="new-password"
        hint={passwordRule}
      />
      <Outcome problem={missing || (error ? registerFailure(error) : '')} />
      {error instanceof AccountAlreadyExistsError && (
        <p className="text-sm">
          <TextLink href={withReturnTo('/login', returnTo)}>Go to the sign-in</TextLink>
        </p>
      )}
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? 'Creating it…' : 'Create the account'}
      </Button>
    </form>
  )
}
