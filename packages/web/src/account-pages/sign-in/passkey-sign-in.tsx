'use client'

import { type ReactNode, useState } from 'react'
import { usePasskeySignIn } from '../../account/use-passkey-sign-in.ts'
import { noPasskeyUsed } from '../failures/no-passkey-used.ts'
import { passkeySignInFailure } from '../failures/passkey-failure.ts'
import { RestoreInstead } from '../failures/restore-instead.tsx'
import { useSay } from '../provider/account-provider.tsx'
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
  const say = useSay()
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
      <div className="svc-stack svc-stack-3 svc-below-5">
        <p className="svc-note">{say('This browser can’t use passkeys. Sign in another way.')}</p>
        {children}
        <Or />
      </div>
    )
  }
  const { error, isRunning } = signingIn
  return (
    <div className="svc-stack svc-stack-3 svc-below-5">
      <div className="svc-grid">
        <Button isBusy={isRunning} onClick={() => void signIn()}>
          {isRunning ? say('Waiting for your passkey…') : say('Sign in with a passkey')}
        </Button>
        <div className="svc-outcome-box">
          <Outcome
            problem={error ? passkeySignInFailure(say, error) : ''}
            done={isUnused ? noPasskeyUsed(say) : ''}
          />
        </div>
      </div>
      <RestoreInstead of={error} />
      {children}
      <Or />
    </div>
  )
}
