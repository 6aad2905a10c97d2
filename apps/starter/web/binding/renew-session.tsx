'use client'

import { noPasskeyUsed } from '../passkeys/no-passkey-used.ts'
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
  const { isSupported, isUnused, error, isRunning, renew } = useRenewal(returnTo)
  const isOver = hasNone || isRenewalOver(error)
  return (
    <FocusOnChange of={isOver ? 'over' : 'waiting'}>
      {isOver ? (
        <RenewalOver returnTo={returnTo} hasNone={hasNone} />
      ) : (
        <div className="grid gap-4">
          <p className="text-sm leading-relaxed">
            This session is bound to your passkeys, and its key has expired. Use a passkey to
            continue where you were.
          </p>
          <Outcome
            problem={isSupported === false ? unsupported : error ? renewalFailure(error) : ''}
            done={isUnused ? noPasskeyUsed : ''}
          />
          {isSupported !== false && (
            <Button look="primary" isBusy={isRunning} onClick={renew}>
              {isRunning ? 'Waiting for your passkey…' : 'Continue with your passkey'}
            </Button>
          )}
          <p className="border-line border-t pt-4 text-sm">
            Can’t use a passkey now? <SignOutButton />
          </p>
        </div>
      )}
    </FocusOnChange>
  )
}

const unsupported = 'This browser can’t use passkeys. Sign out, then sign in again.'
