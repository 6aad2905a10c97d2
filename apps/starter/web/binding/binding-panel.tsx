'use client'

import { usePasskeys, useSessionBinding } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { bindingFailure } from './binding-failure.ts'
import { BindingState } from './binding-state.tsx'

/** Whether this session needs a passkey to go on, and the way to change that. */
export function BindingPanel() {
  const { isSupported, binding, loading, turningOn, turningOff } = useSessionBinding()
  const error = turningOn.error ?? turningOff.error ?? loading.error
  const { passkeys, loading: listing } = usePasskeys()
  const hasPasskey = passkeys && passkeys.length > 0
  const mayHavePasskey = hasPasskey ?? listing.error !== null
  const mayBind = binding?.mode === 'none' && isSupported !== false && mayHavePasskey
  return (
    <div className="grid gap-3">
      <BindingState {...{ binding, hasPasskey }} isLoading={loading.isRunning} />
      {mayBind && (
        <div>
          <Button isBusy={turningOn.isRunning} onClick={() => void turningOn.run()}>
            {turningOn.isRunning ? 'Binding it…' : 'Bind this session'}
          </Button>
        </div>
      )}
      {binding?.mode === 'passkey' && mayHavePasskey && (
        <div className="flex flex-wrap">
          <ConfirmButton
            isBusy={turningOff.isRunning}
            refusal={turningOff.error}
            question="End the binding? An attacker who copies this session can then use it until its key expires. You need a passkey to confirm."
            confirm={turningOff.isRunning ? 'Waiting for your passkey…' : 'Yes, with my passkey'}
            onConfirm={() => void turningOff.run()}
          >
            End the binding
          </ConfirmButton>
        </div>
      )}
      {!binding && loading.error !== null && (
        <div>
          <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
            Try again
          </Button>
        </div>
      )}
      <Outcome problem={error ? bindingFailure(error) : ''} />
      <p className="text-faded text-sm">
        {isSupported === false
          ? 'This browser can’t use passkeys. See'
          : hasPasskey === false
            ? 'To bind the session, first add a passkey to'
            : 'You need one of'}{' '}
        <TextLink href="/account/security/passkeys">your passkeys</TextLink>
      </p>
    </div>
  )
}
