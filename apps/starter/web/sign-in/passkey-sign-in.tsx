'use client'

import { usePasskeySignIn } from '@svc/web/react'
import { useState } from 'react'
import { RestoreInstead } from '../deletion/restore-instead.tsx'
import { noPasskeyUsed } from '../passkeys/no-passkey-used.ts'
import { passkeySignInFailure } from '../passkeys/passkey-failure.ts'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a passkey: here, or as the browser offers it in the field for the email. */
export function PasskeySignIn({ returnTo }: { returnTo: string }) {
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
      <p className="mb-5 text-faded text-sm">
        This browser knows no passkeys: sign in with your password, or with a code.
      </p>
    )
  }
  const { error, isRunning } = signingIn
  return (
    <div className="mb-5 grid gap-3">
      <Button isBusy={isRunning} onClick={() => void signIn()}>
        {isRunning ? 'Waiting for your passkey…' : 'Sign in with a passkey'}
      </Button>
      <Outcome
        problem={error ? passkeySignInFailure(error) : ''}
        done={isUnused ? noPasskeyUsed : ''}
      />
      <RestoreInstead of={error} />
      <p
        aria-hidden="true"
        className="flex items-center gap-3 text-faded text-sm before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line"
      >
        or
      </p>
    </div>
  )
}
