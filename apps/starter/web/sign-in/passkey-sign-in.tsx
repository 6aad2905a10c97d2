'use client'

import { usePasskeySignIn } from '@svc/web/react'
import { type ReactNode, useState } from 'react'
import { RestoreInstead } from '../deletion/restore-instead.tsx'
import { noPasskeyUsed } from '../passkeys/no-passkey-used.ts'
import { passkeySignInFailure } from '../passkeys/passkey-failure.ts'
import { Button } from '../ui/button.tsx'
import { Or } from '../ui/or.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useSignedIn } from './use-signed-in.ts'

interface Props {
  returnTo: string
  /** Other ways in that take one click. */
  children: ReactNode
}

/** Signing in with a passkey: here, or as the browser offers it in the field for the email. */
export function PasskeySignIn({ returnTo, children }: Props) {
  const { isSupported, signingIn } = usePasskeySignIn({
    onAnswer: useSignedIn(returnTo),
    conditional: true,
  })
  const [isUnused, setUnused] = useState(false)

  async function signIn() {
    setUnused(false)
    setUnused((await signingIn.run()) === false)
  }

  if (isSupported === false) {
    return (
      <div className="mb-5 grid gap-3">
        <p className="text-faded text-sm">This browser can’t use passkeys. Sign in another way.</p>
        {children}
        <Or />
      </div>
    )
  }
  const { error, isRunning } = signingIn
  return (
    <div className="mb-5 grid gap-3">
      <div className="grid">
        <Button isBusy={isRunning} onClick={() => void signIn()}>
          {isRunning ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
        </Button>
        <div className="has-[p:not(:empty)]:mt-3">
          <Outcome
            problem={error ? passkeySignInFailure(error) : ''}
            done={isUnused ? noPasskeyUsed : ''}
          />
        </div>
      </div>
      <RestoreInstead of={error} />
      {children}
      <Or />
    </div>
  )
}
