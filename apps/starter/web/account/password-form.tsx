'use client'

import { useChangePassword } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { passwordRule } from '../ui/password-rules.ts'
import { passwordFailure } from './password-failure.ts'

/** An account that has no password yet is not asked for one. */
export function PasswordForm({ email, hasPassword }: { email: string; hasPassword: boolean }) {
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
    setProblem(isComplete ? '' : hasPassword ? 'Enter both passwords.' : 'Choose a password.')
    if (!isComplete) return
    if (!(await run({ ...(hasPassword && { currentPassword }), newPassword }))) return
    form.reset()
    setDone('Your password is changed. Every other device is signed out.')
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid max-w-sm gap-4"
    >
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      {hasPassword && (
        <PasswordField
          label="Current password"
          name="currentPassword"
          autoComplete="current-password"
        />
      )}
      <PasswordField
        label="New password"
        name="newPassword"
        autoComplete="new-password"
        hint={passwordRule}
      />
      <Outcome problem={problem || (error ? passwordFailure(error) : '')} done={done} />
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? 'Changing it…' : 'Change password'}
        </Button>
      </div>
    </form>
  )
}
