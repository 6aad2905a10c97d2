'use client'

import { useSignIn } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { SecondFactorError, signInFailure } from './sign-in-failure.ts'

/** Signing in with a password. */
export function SignInForm({ returnTo }: { returnTo: string }) {
  const router = useRouter()
  const [missing, setMissing] = useState('')
  const signIn = useSignIn({
    onAnswer: ({ mfaRequired }) => {
      if (mfaRequired) throw new SecondFactorError()
      router.push(returnTo)
      router.refresh()
    },
  })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [text(given, 'email').trim(), text(given, 'password')]
    setMissing(email && password ? '' : 'Enter your email and your password.')
    if (email && password) void signIn.run({ email, password })
  }

  const problem = missing || (signIn.error ? signInFailure(signIn.error) : '')
  return (
    <form noValidate onSubmit={submit} className="grid max-w-sm gap-3">
      <Field label="Email" name="email" type="email" autoComplete="username" />
      <Field label="Password" name="password" type="password" autoComplete="current-password" />
      <Outcome problem={problem} />
      <Button type="submit" look="primary" isBusy={signIn.isRunning}>
        {signIn.isRunning ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}

function text(form: FormData, name: string) {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
