import type { SessionBinding } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { ExactTime } from '../ui/exact-time.tsx'

interface Props {
  binding: SessionBinding | null
  isLoading: boolean
  /** Null where it is not known. */
  hasPasskey: boolean | null
}

/** How this session is bound, and until when its key signs. */
export function BindingState({ binding, isLoading, hasPasskey }: Props) {
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
