'use client'

import { type FormEvent, useState } from 'react'
import { useSignIn } from '../../account/use-sign-in.ts'
import { type Email, EmailField } from '../codes/email-field.tsx'
import { RestoreInstead } from '../failures/restore-instead.tsx'
import { signInFailure } from '../failures/sign-in-failure.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'
import { TurnComes } from './turn-comes.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a password. */
export function SignInForm({ returnTo, ...address }: Email & { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  const [missing, setMissing] = useState('')
  const signIn = useSignIn({ onAnswer: useSignedIn(returnTo) })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    setMissing(email && password ? '' : say('Enter your email and your password.'))
    if (email && password) void signIn.run({ email, password })
  }

  const problem = missing || (signIn.error ? signInFailure(say, signIn.error) : '')
  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} />
      <PasswordField label={say('Password')} name="password" autoComplete="current-password" />
      <Outcome problem={problem} />
      <TurnComes at={signIn.comesAt} />
      <RestoreInstead of={signIn.error} />
      <Button type="submit" look="primary" isBusy={signIn.isRunning}>
        {signIn.comesAt !== null
          ? say('Waiting…')
          : signIn.isRunning
            ? say('Signing in…')
            : say('Sign in')}
      </Button>
      <p className="svc-small">
        <TextLink href={withReturnTo(paths.forgotPassword, returnTo)}>
          {say('Forgot your password?')}
        </TextLink>
      </p>
    </form>
  )
}
