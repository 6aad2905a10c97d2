'use client'

import { useRouter } from 'next/navigation.js'
import { type FormEvent, useState } from 'react'
import { useChangePassword } from '../../account/use-security.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { passwordRule } from '../ui/password-rules.ts'
import { passwordFailure } from './password-failure.ts'

/** An account that has no password yet is not asked for one. */
export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
  const say = useSay()
  const router = useRouter()
  const [problem, setProblem] = useState('')
  const [done, setDone] = useState('')
  // The frame around the page may have said that the password has to be changed.
  const { run, error, isRunning, reset } = useChangePassword({ onDone: () => router.refresh() })

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const currentPassword = formText(given, 'currentPassword')
    const newPassword = formText(given, 'newPassword')
    const isComplete = newPassword !== '' && (currentPassword !== '' || !hasPassword)
    setDone('')
    reset()
    setProblem(
      isComplete ? '' : hasPassword ? say('Enter both passwords.') : say('Choose a password.'),
    )
    if (!isComplete) return
    if (!(await run({ ...(hasPassword && { currentPassword }), newPassword }))) return
    form.reset()
    setDone(say('Your password is changed. Every other device is signed out.'))
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="svc-stack svc-narrow"
    >
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label={say('Current password')}
          name="currentPassword"
          autoComplete="current-password"
        />
      )}
      <PasswordField
        label={say('New password')}
        name="newPassword"
        autoComplete="new-password"
        hint={passwordRule(say)}
      />
      <Outcome problem={problem || (error ? passwordFailure(say, error) : '')} done={done} />
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? say('Changing it…') : say('Change password')}
        </Button>
      </div>
    </form>
  )
}
