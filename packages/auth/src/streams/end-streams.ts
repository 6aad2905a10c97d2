import type { Infrastructure } from '@svc/core'
import { accountSuspendedEvent, keyRevokedEvent, roleChangedEvent } from '../events.ts'
import { roleGrantsChangedEvent } from '../roles/role-grants-changed.ts'

/**
 * What is taken away ends the streams that a server has open for it, wherever it was taken away: these events reach
 * every instance. What no event has told, as of a key that expires, the watch of the open streams finds out.
 */
export function endStreams({ streams }: Pick<Infrastructure, 'streams'>): () => void {
  const subscriptions = [
    keyRevokedEvent.subscribe(({ userId, keyIds }) => streams.end(userId, keyIds)),
    accountSuspendedEvent.subscribe(({ userId }) => streams.end(userId)),
    roleChangedEvent.subscribe(({ userId }) => streams.reauthorize(userId)),
    roleGrantsChangedEvent.subscribe(() => streams.recheck()),
  ]
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe()
  }
}
