'use client'

import { useSecondFactor } from '../../account/use-second-factor.ts'
import { isSignInOver, signInFactorFailure } from '../failures/factor-failure.ts'
import { RestoreInstead } from '../failures/restore-instead.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { TextLink } from '../ui/text-link.tsx'
import { useArrival } from '../ui/use-arrival.ts'
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
  const paths = usePaths()
  const say = useSay()
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
        <div className="svc-stack">
          <ProveFactor
            factor={factor}
            hasApp={null}
            failure={(refused) => signInFactorFailure(say, refused)}
            label={say('Sign in')}
            busyLabel={say('Signing in…')}
          />
          <RestoreInstead of={error} />
          <p className="svc-manual">
            {say.nodes('Not you? <link>Start over</link>', {
              link: (text) => (
                <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>
              ),
            })}
          </p>
        </div>
      )}
    </FocusOnChange>
  )
}
