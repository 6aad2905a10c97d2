'use client'

import type { SessionBinding } from '@svc/auth'
import { usePasskeys, useSessionBinding } from '../../account/account.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { ExactTime } from '../ui/time.tsx'
import { bindingFailure } from './binding-failure.ts'

/** Whether this session needs a passkey to continue, and buttons to change that. */
export function BindingPanel() {
  const paths = usePaths()
  const say = useSay()
  const { isSupported, binding, loading, turningOn, turningOff } = useSessionBinding()
  const error = turningOn.error ?? turningOff.error ?? loading.error
  const { passkeys, loading: listing } = usePasskeys()
  const hasPasskey = passkeys && passkeys.length > 0
  const mayHavePasskey = hasPasskey ?? listing.error !== null
  const mayBind = binding?.mode === 'none' && isSupported !== false && mayHavePasskey
  return (
    <div className="svc-stack svc-stack-3">
      <BindingState {...{ binding, hasPasskey }} isLoading={loading.isRunning} />
      {mayBind && (
        <div>
          <Button isBusy={turningOn.isRunning} onClick={() => void turningOn.run()}>
            {turningOn.isRunning ? say('Binding it…') : say('Bind this session')}
          </Button>
        </div>
      )}
      {binding?.mode === 'passkey' && mayHavePasskey && (
        <div className="svc-flex">
          <ConfirmButton
            isBusy={turningOff.isRunning}
            refusal={turningOff.error}
            question={say(
              'End the binding? An attacker who copies this session can then use it until its key expires. You need a passkey to confirm.',
            )}
            confirm={
              turningOff.isRunning ? say('Waiting for your passkey…') : say('Yes, with my passkey')
            }
            onConfirm={() => void turningOff.run()}
          >
            {say('End the binding')}
          </ConfirmButton>
        </div>
      )}
      {!binding && loading.error !== null && (
        <div>
          <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
            {say('Try again')}
          </Button>
        </div>
      )}
      <Outcome problem={error ? bindingFailure(say, error) : ''} />
      <p className="svc-note">
        {isSupported === false
          ? say('This browser can’t use passkeys. See')
          : hasPasskey === false
            ? say('To bind the session, first add a passkey to')
            : say('You need one of')}{' '}
        <TextLink href={paths.passkeys}>{say('your passkeys')}</TextLink>
      </p>
    </div>
  )
}

interface Props {
  binding: SessionBinding | null
  isLoading: boolean
  /** Null if it is not known. */
  hasPasskey: boolean | null
}

/** How this session is bound, and until when its key signs. */
function BindingState({ binding, isLoading, hasPasskey }: Props) {
  const say = useSay()
  const isBound = binding?.mode === 'passkey'
  const until = binding?.keyExpiresAtMillis
  return (
    <p role="status" className="svc-small">
      {!binding && isLoading && say('Loading…')}
      {binding && (
        <strong className="svc-strong">
          {isBound
            ? say('This session is bound to your passkeys.')
            : say('This session is not bound.')}
        </strong>
      )}{' '}
      {until !== undefined && isBound && hasPasskey === false && (
        <>
          {say.nodes('You have no passkey left. Add one, or sign in again by {time}.', {
            time: <ExactTime at={until} />,
          })}
        </>
      )}
      {until !== undefined && !(isBound && hasPasskey === false) && (
        <>{say.nodes('Its key expires on {time}.', { time: <ExactTime at={until} /> })}</>
      )}{' '}
      {until !== undefined && isBound && hasPasskey !== false && (
        <>{say('You renew it with a passkey.')}</>
      )}
    </p>
  )
}
