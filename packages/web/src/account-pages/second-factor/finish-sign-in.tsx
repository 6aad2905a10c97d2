'use client'

import { authApi } from '@svc/auth'
import { type ReactNode, useEffect, useState } from 'react'
import { useAction, useSecondFactor } from '../../account/account.ts'
import { isSignInOver, signInFactorFailure } from '../failures/factor-failure.ts'
import { RestoreInstead } from '../failures/sign-in-failure.tsx'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { useArrival } from '../ui/arrival-notice.tsx'
import { TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { ProveFactor } from './prove-factor.tsx'

interface SecondStepViewProps extends EntranceSlots {
  returnTo: string
  isWaiting: boolean
}

/** Asks for the second step of a sign-in. */
export function SecondStepView({ returnTo, isWaiting, ...slots }: SecondStepViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('One more step')} notes={<Notes />} slots={slots}>
      <FinishSignIn returnTo={returnTo} isWaiting={isWaiting} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'This account has two-step sign-in. On a new device, you confirm the sign-in with something that only you have.',
        )}
      </p>
      <p>{say('Lost your phone or passkey? Use a recovery code.')}</p>
    </>
  )
}

interface FinishSignInProps {
  returnTo: string
  /** A sign-in waits in this browser for its second step. */
  isWaiting: boolean
}

/** Finishes a sign-in whose password, code or passkey was right. */
function FinishSignIn({ returnTo, isWaiting }: FinishSignInProps) {
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

interface SignInOverProps {
  returnTo: string
  /** Another way to go on. */
  children?: ReactNode
}

/** Says that there is nothing to finish, with a link to go on. */
function SignInOver({ returnTo, children }: SignInOverProps) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div role="status">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your sign-in has expired')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {say.nodes(
          'It took too long, had too many wrong codes, or is already finished. <link>Sign in again</link>',
          {
            link: (text) => <TextLink href={withReturnTo(paths.signIn, returnTo)}>{text}</TextLink>,
          },
        )}
      </p>
      {children}
    </div>
  )
}

/** For a user who has finished the sign-in in another tab. */
function SignedInAlready({ returnTo }: { returnTo: string }) {
  const say = useSay()
  const [isSignedIn, setSignedIn] = useState(false)
  const { run: look } = useAction(async () => {
    await authApi.getAuthSession.call()
    setSignedIn(true)
  })
  useEffect(() => void look(), [look])
  if (!isSignedIn) return null
  return (
    <p className="svc-small svc-above-2">
      {say.nodes('You are already signed in: <link>continue</link>', {
        link: (text) => <TextLink href={returnTo}>{text}</TextLink>,
      })}
    </p>
  )
}
