import { useCancelAccountDeletion } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { type Email, EmailField } from '../sign-in/email-field.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { restoreFailure } from './deletion-failure.ts'

export function RestoreByPassword({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const [missing, setMissing] = useState('')
  const { run, error, isRunning } = useCancelAccountDeletion({ onRestored })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    setMissing(email && password ? '' : 'Enter your email and your password.')
    if (email && password) void run({ email, password })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <EmailField {...address} />
      <PasswordField label="Password" name="password" autoComplete="current-password" />
      <Outcome problem={missing || (error ? restoreFailure(error) : '')} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? 'Restoring…' : 'Restore my account'}
      </Button>
    </form>
  )
}
