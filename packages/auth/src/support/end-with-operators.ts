import {
  accountSuspendedEvent,
  deletionRequestedEvent,
  keyRevokedEvent,
  roleChangedEvent,
} from '../events.ts'
import type { Concerned } from '../keys/keys.ts'
import { everyoneSignedOut, roleGrantsChanged } from '../streams/streams.ts'
import { endWithdrawn } from './end-session.ts'
import type { SupportHeld } from './held.ts'

/**
 * Ends a session, and its streams, as soon as its operator may not act any more. The key signs nothing from then on in
 * any case: whoever reads it reads what its operator may do.
 */
export function endWithOperators(auth: SupportHeld): (() => void)[] {
  const look = (concerned?: Concerned) => endWithdrawn(auth, concerned)
  const ofUser = ({ userId }: { userId: string }) => look({ userIds: [userId] })
  return [
    keyRevokedEvent.subscribe(({ keyIds }) => look({ actorKeyIds: keyIds })),
    accountSuspendedEvent.subscribe(ofUser),
    deletionRequestedEvent.subscribe(ofUser),
    roleChangedEvent.subscribe(ofUser),
    roleGrantsChanged.event.subscribe(() => look()),
    everyoneSignedOut.event.subscribe(() => look()),
  ]
}
