'use client'

import type { SessionBinding } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { usePasskeys, useSessionBinding } from '../../account/account.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Setting } from '../ui/settings.tsx'
import { ExactTime } from '../ui/time.tsx'
import type { Say } from '../words/say.ts'
import { bindingFailure } from './binding-failure.ts'

/** Whether this session needs a passkey to continue, and what changes that. */
export function BindingSetting() {
  const say = useSay()
  const { isSupported, binding, loading, ...changes } = useSessionBinding()
  const { passkeys, loading: listing } = usePasskeys()
  // Where the list did not load, the try shows whether there is one.
  const hasPasskey = passkeys ? passkeys.length > 0 : listing.error === null ? null : true
  const isKnown = binding !== null && hasPasskey !== null
  const error = changes.turningOn.error ?? changes.turningOff.error ?? loading.error
  return (
    <Setting
      title={say('Bind this session to a passkey')}
      state={
        isKnown ? (
          <span role="status">{stateWords(say, { binding, hasPasskey, isSupported })}</span>
        ) : loading.error === null ? null : (
          say('not known')
        )
      }
      about={say(
        'A bound session ends within hours unless you renew it with your passkey. So does a copy that an attacker made.',
      )}
      action={
        loading.error === null ? (
          <BindingAction {...{ binding, hasPasskey, isSupported, ...changes }} />
        ) : (
          <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
            {say('Try again')}
          </Button>
        )
      }
    >
      <Outcome problem={error ? bindingFailure(say, error) : ''} />
    </Setting>
  )
}

type Changes = Pick<ReturnType<typeof useSessionBinding>, 'turningOn' | 'turningOff'>

interface Known {
  /** Null until it is known, like the other two. */
  binding: SessionBinding | null
  hasPasskey: boolean | null
  /** The browser has passkeys. */
  isSupported: boolean | null
}

/** The one thing that can be done now. Until that is known, the button is there and does nothing. */
function BindingAction({
  binding,
  hasPasskey,
  isSupported,
  turningOn,
  turningOff,
}: Known & Changes) {
  const paths = usePaths()
  const say = useSay()
  const router = useRouter()
  // The key has another end now.
  const refreshAfter = async (changing: Promise<boolean | null>) => {
    if (await changing) router.refresh()
  }
  if (hasPasskey === false) {
    return <ButtonLink href={paths.passkeys}>{say('Add a passkey')}</ButtonLink>
  }
  if (binding?.mode === 'passkey') {
    return (
      <ConfirmButton
        isBusy={turningOff.isRunning}
        refusal={turningOff.error}
        question={say(
          'End the binding? An attacker who copies this session can then use it until its key expires. You need a passkey to confirm.',
        )}
        confirm={
          turningOff.isRunning ? say('Waiting for your passkey…') : say('Yes, with my passkey')
        }
        onConfirm={() => void refreshAfter(turningOff.run())}
      >
        {say('End the binding')}
      </ConfirmButton>
    )
  }
  if (isSupported === false) return null
  const isReady = binding !== null && hasPasskey !== null
  return (
    <Button
      isBusy={turningOn.isRunning || !isReady}
      onClick={() => isReady && void refreshAfter(turningOn.run())}
    >
      {turningOn.isRunning ? say('Binding it…') : say('Bind this session')}
    </Button>
  )
}

function stateWords(
  say: Say,
  { binding, hasPasskey, isSupported }: Known & { binding: SessionBinding },
) {
  const until = binding.keyExpiresAtMillis
  if (binding.mode !== 'passkey') {
    return isSupported === false
      ? say('This browser can’t use passkeys. Open this page in a newer browser or on your phone.')
      : say('This session is not bound.')
  }
  if (hasPasskey !== false || until === undefined) {
    return say('This session is bound to your passkeys.')
  }
  return say.nodes('You have no passkey left. Add one, or sign in again by {time}.', {
    time: <ExactTime at={until} />,
  })
}
