import type { SessionBinding } from '@svc/auth'
import { ExactTime } from '../ui/exact-time.tsx'

interface Props {
  binding: SessionBinding | null
  isLoading: boolean
  /** Null where it is not known. */
  hasPasskey: boolean | null
}

/** How this session is bound, and until when its key signs. */
export function BindingState({ binding, isLoading, hasPasskey }: Props) {
  const isBound = binding?.mode === 'passkey'
  const until = binding?.keyExpiresAtMillis
  return (
    <p role="status" className="text-sm">
      {!binding && isLoading && 'Loading…'}
      {binding && (
        <strong className="font-medium">
          {isBound ? 'This session is bound to your passkeys.' : 'This session is not bound.'}
        </strong>
      )}{' '}
      {until !== undefined && isBound && hasPasskey === false && (
        <>
          You have no passkey left. Add one, or sign in again by <ExactTime at={until} />.
        </>
      )}
      {until !== undefined && !(isBound && hasPasskey === false) && (
        <>
          Its key expires on <ExactTime at={until} />
          {isBound ? '. You renew it with a passkey.' : '.'}
        </>
      )}
    </p>
  )
}
