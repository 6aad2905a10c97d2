import { type ProvenEmail, useRegister } from '@svc/web/react'
import { QuietButton } from '../ui/quiet-button.tsx'
import { SetPassword } from '../ui/set-password.tsx'
import { registerFailure } from './register-failure.ts'
import { SignInInstead } from './sign-in-instead.tsx'

interface Props {
  proven: ProvenEmail
  returnTo: string
  onRegistered: () => void
  onStartOver: () => void
}

/** The last step: what the account is kept with. */
export function ChoosePassword({ proven, returnTo, onRegistered, onStartOver }: Props) {
  const { run, ...registering } = useRegister({ onRegistered })
  return (
    <SetPassword
      email={proven.email}
      setting={{ ...registering, run: (password) => run({ ...proven, password }) }}
      label="Create account"
      busyLabel="Creating…"
      failure={registerFailure}
      wayOn={<SignInInstead of={registering.error} returnTo={returnTo} />}
    >
      <p className="text-sm">
        <strong className="font-medium break-words">{proven.email}</strong> is yours.{' '}
        <QuietButton onClick={onStartOver}>Use another address</QuietButton>
      </p>
    </SetPassword>
  )
}
