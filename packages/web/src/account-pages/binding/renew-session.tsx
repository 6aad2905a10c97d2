'use client'

import { useState } from 'react'
import { useSessionRenewal } from '../../account/account.ts'
import { noPasskeyUsed } from '../failures/passkey-sign-in-failure.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { SignOutButton } from '../sign-in/sign-out-button.tsx'
import { useSignedIn } from '../sign-in/use-signed-in.ts'
import { Button, TextLink } from '../ui/button.tsx'
import { Entrance } from '../ui/entrance.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import type { EntranceSlots } from '../ui/page-slots.ts'
import { withReturnTo } from '../ui/sign-in-address.ts'
import { isRenewalOver, renewalFailure } from './binding-failure.ts'

interface RenewSessionViewProps extends EntranceSlots {
  returnTo: string
  hasNone: boolean
}

/** Renews a session that is bound to a passkey. */
export function RenewSessionView({ returnTo, hasNone, ...slots }: RenewSessionViewProps) {
  const say = useSay()
  return (
    <Entrance title={say('Are you still there?')} notes={<Notes />} slots={slots}>
      <RenewSession returnTo={returnTo} hasNone={hasNone} />
    </Entrance>
  )
}

function Notes() {
  const say = useSay()
  return (
    <>
      <p>
        {say(
          'This session is bound to your passkeys. Its key expires after a short time, so a copied session soon stops working. You renew the key with your passkey.',
        )}
      </p>
      <p>{say('You can turn this off on the Security page when you are signed in again.')}</p>
    </>
  )
}

interface RenewSessionProps {
  returnTo: string
  /** This browser has no session to renew. */
  hasNone: boolean
}

/** Uses a passkey to get the next key of a bound session. */
function RenewSession({ returnTo, hasNone }: RenewSessionProps) {
  const say = useSay()
  const { isSupported, isUnused, error, isRunning, renew } = useRenewal(returnTo)
  const isOver = hasNone || isRenewalOver(error)
  return (
    <FocusOnChange of={isOver ? 'over' : 'waiting'}>
      {isOver ? (
        <RenewalOver returnTo={returnTo} hasNone={hasNone} />
      ) : (
        <div className="svc-stack">
          <p className="svc-paragraph">
            {say(
              'This session is bound to your passkeys, and its key has expired. Use a passkey to continue where you were.',
            )}
          </p>
          <Outcome
            problem={isSupported === false ? unsupported : error ? renewalFailure(say, error) : ''}
            done={isUnused ? noPasskeyUsed(say) : ''}
          />
          {isSupported !== false && (
            <Button look="primary" isBusy={isRunning} onClick={renew}>
              {isRunning ? say('Waiting for your passkey…') : say('Continue with your passkey')}
            </Button>
          )}
          <p className="svc-manual">
            {say.nodes('Can’t use a passkey now? {signOutButton}', {
              signOutButton: <SignOutButton />,
            })}
          </p>
        </div>
      )}
    </FocusOnChange>
  )
}

const unsupported = 'This browser can’t use passkeys. Sign out, then sign in again.'

interface RenewalOverProps {
  returnTo: string
  /** This browser has no session to renew. */
  hasNone: boolean
}

/** Says that the session can't be renewed, with a link to sign in. */
function RenewalOver({ returnTo, hasNone }: RenewalOverProps) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div role="status">
      <h2 tabIndex={-1} className="svc-title">
        {hasNone ? say('There is no session to continue') : say('This session has ended')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {hasNone ? say(none) : say(refused)}{' '}
        <TextLink href={withReturnTo(paths.signIn, returnTo)}>{say('Sign in again')}</TextLink>
      </p>
    </div>
  )
}

const none = 'The session was ended, or you are not signed in on this browser.'
const refused =
  'You were away too long, the session was ended on another device, or the passkey belongs to another account.'

/** Renews a bound session, and says whether a passkey was used. */
function useRenewal(returnTo: string) {
  const { isSupported, renewing } = useSessionRenewal({ onAnswer: useSignedIn(returnTo) })
  const [isUnused, setUnused] = useState(false)

  async function renew() {
    setUnused(false)
    setUnused((await renewing.run()) === false)
  }

  return {
    isSupported,
    isUnused,
    error: renewing.error,
    isRunning: renewing.isRunning,
    renew: () => void renew(),
  }
}
