import { type FormEvent, useState } from 'react'
import { useCancelAccountDeletion } from '../../account/use-account-deletion.ts'
import { type Email, EmailField } from '../codes/email-field.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { restoreFailure } from './deletion-failure.ts'

export function RestoreByPassword({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const say = useSay()
  const [missing, setMissing] = useState('')
  const { run, error, isRunning } = useCancelAccountDeletion({ onRestored })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    setMissing(email && password ? '' : say('Enter your email and your password.'))
    if (email && password) void run({ email, password })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} />
      <PasswordField label={say('Password')} name="password" autoComplete="current-password" />
      <Outcome problem={missing || (error ? restoreFailure(say, error) : '')} />
      <Button type="submit" look="primary" isBusy={isRunning}>
        {isRunning ? say('Restoring…') : say('Restore my account')}
      </Button>
    </form>
  )
}
