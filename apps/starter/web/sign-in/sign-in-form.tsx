'use client'

import { useSignIn } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { RestoreInstead } from '../deletion/restore-instead.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { type Email, EmailField } from './email-field.tsx'
import { withReturnTo } from './sign-in-address.ts'
import { signInFailure } from './sign-in-failure.ts'
import { TurnComes } from './turn-comes.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a password. */
export function SignInForm({ returnTo, ...address }: Email & { returnTo: string }) {
  const [missing, setMissing] = useState('')
  const signIn = useSignIn({ onAnswer: useSignedIn(returnTo) })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    setMissing(email && password ? '' : 'Enter your email and your password.')
    if (email && password) void signIn.run({ email, password })
  }

  const problem = missing || (signIn.error ? signInFailure(signIn.error) : '')
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-4">
      <EmailField {...address} />
      <PasswordField label="Password" name="password" autoComplete="current-password" />
      <Outcome problem={problem} />
      <TurnComes at={signIn.comesAt} />
      <RestoreInstead of={signIn.error} />
      <Button type="submit" look="primary" isBusy={signIn.isRunning}>
        {signIn.comesAt !== null ? 'Waiting…' : signIn.isRunning ? 'Signing in…' : 'Sign in'}
      </Button>
      <p className="text-sm">
        <TextLink href={withReturnTo('/password/forgot', returnTo)}>Forgot your password?</TextLink>
      </p>
    </form>
  )
}
