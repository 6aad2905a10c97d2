'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { useSignIn } from '../../account/account.ts'
import { type Email, EmailField } from '../codes/email-field.tsx'
import { RestoreInstead, signInFailure } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { formText } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import type { Say } from '../words/say.ts'
import { CodeForm } from './code-form.tsx'
import { useSignedIn } from './use-signed-in.ts'

interface SignInWaysProps {
  way: 'password' | 'code'
  returnTo: string
}

/** The form for the chosen way. The email stays when the user changes the way. */
export function SignInWays({ way, returnTo }: SignInWaysProps) {
  const [email, onEmail] = useState('')
  const given = { returnTo, email, onEmail, offersPasskeys: true }
  return way === 'code' ? <CodeForm {...given} /> : <SignInForm {...given} />
}

/** Signing in with a password. */
function SignInForm({ returnTo, ...address }: Email & { returnTo: string }) {
  const paths = usePaths()
  const say = useSay()
  const [missing, setMissing] = useState({ email: '', password: '' })
  const signIn = useSignIn({ onAnswer: useSignedIn(returnTo) })

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [email, password] = [formText(given, 'email').trim(), formText(given, 'password')]
    signIn.reset()
    setMissing({
      email: email ? '' : say('Enter your email.'),
      password: password ? '' : say('Enter your password.'),
    })
    if (email && password) void signIn.run({ email, password })
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <EmailField {...address} problem={missing.email} />
      <PasswordField
        label={say('Password')}
        name="password"
        autoComplete="current-password"
        problem={missing.password}
      />
      <Outcome problem={signIn.error ? signInFailure(say, signIn.error) : ''} />
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

interface TurnComesProps {
  /** In milliseconds since 1970; null if the page is not waiting. */
  at: number | null
}

/** Says that many people are signing in, and how long it takes until it is this person's turn. */
function TurnComes({ at }: TurnComesProps) {
  const say = useSay()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === null) return undefined
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [at])
  return (
    <p role="status" className="svc-note svc-if-filled">
      {at === null ? '' : turnWords(say, at - now)}
    </p>
  )
}

/** The words for so many milliseconds. In steps of five seconds, because a screen reader reads each change. */
export function turnWords(say: Say, millis: number) {
  const seconds = Math.max(0, Math.ceil(millis / 5000) * 5)
  const wait =
    seconds <= 5
      ? say('Your turn comes in a moment.')
      : seconds < 90
        ? say('Your turn comes in about {seconds} seconds.', { seconds })
        : say('Your turn comes in about {count} minutes.', { count: Math.ceil(seconds / 60) })
  return say(
    'Many people are signing in right now. {wait} Keep this page open. It continues by itself.',
    { wait },
  )
}
