'use client'

import { noPasskeyUsed } from '../failures/no-passkey-used.ts'
import { useSay } from '../provider/account-provider.tsx'
import { SignOutButton } from '../sign-in/sign-out-button.tsx'
import { Button } from '../ui/button.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { isRenewalOver, renewalFailure } from './binding-failure.ts'
import { RenewalOver } from './renewal-over.tsx'
import { useRenewal } from './use-renewal.ts'

interface Props {
  returnTo: string
  /** This browser has no session that could go on. */
  hasNone: boolean
}

/** Has a passkey get the next key of a bound session. */
export function RenewSession({ returnTo, hasNone }: Props) {
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
