'use client'

import { useSecondFactor } from '@svc/web/react'
import { RestoreInstead } from '../deletion/restore-instead.tsx'
import { withReturnTo } from '../sign-in/sign-in-address.ts'
import { useArrival } from '../sign-in/use-arrival.ts'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { isSignInOver, signInFactorFailure } from './factor-failure.ts'
import { ProveFactor } from './prove-factor.tsx'
import { SignInOver } from './sign-in-over.tsx'
import { SignedInAlready } from './signed-in-already.tsx'

interface Props {
  returnTo: string
  /** A sign-in waits in this browser for its second step. */
  isWaiting: boolean
}

/** Finishes a sign-in whose password, code or passkey was right. */
export function FinishSignIn({ returnTo, isWaiting }: Props) {
  return isWaiting ? <AskForFactor returnTo={returnTo} /> : <SignInOver returnTo={returnTo} />
}

function AskForFactor({ returnTo }: { returnTo: string }) {
  const arrive = useArrival()
  const factor = useSecondFactor({ onAnswer: () => arrive(returnTo) })
  const error = factor.proving.error ?? factor.provingByPasskey.error
  const isOver = isSignInOver(error)
  return (
    <FocusOnChange of={isOver ? 'over' : 'waiting'}>
      {isOver ? (
        <SignInOver returnTo={returnTo}>
          <SignedInAlready returnTo={returnTo} />
        </SignInOver>
      ) : (
        <div className="grid gap-4">
          <ProveFactor
            factor={factor}
            hasApp={null}
            failure={signInFactorFailure}
            label="Sign in"
            busyLabel="Signing in…"
          />
          <RestoreInstead of={error} />
          <p className="border-line border-t pt-4 text-sm">
            Not you? <TextLink href={withReturnTo('/login', returnTo)}>Start over</TextLink>
          </p>
        </div>
      )}
    </FocusOnChange>
  )
}
