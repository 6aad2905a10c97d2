import { afterCommit, currentDb, defineEvent, type Infrastructure, t } from '@svc/core'
import {
  accountSuspendedEvent,
  deletionRequestedEvent,
  keyRevokedEvent,
  roleChangedEvent,
} from '../events.ts'

type Server = Pick<Infrastructure, 'streams' | 'database'>
type Streams = Server['streams']

/** The servers of this process with sign-in. */
const here = new Set<Server>()

/** The open streams of this application, on all its instances in this process. */
function streamsHere() {
  const db = currentDb()
  const servers = [...here]
  const own = servers.find(({ database }) => database?.db === db)?.database?.url
  const instances = servers.filter(({ database }) => own === undefined || database?.url === own)
  return instances.map(({ streams }) => streams)
}

interface Telling<Payload> {
  emit(payload: Payload): Promise<void>
  subscribe(handler: (payload: Payload) => unknown): () => void
}

/**
 * An event that revokes something, and ends open streams by it: here at the commit, even if the
 * cache is down, and on other instances when the event arrives.
 */
function revocation<Payload>(
  event: Telling<Payload>,
  act: (streams: Streams, payload: Payload) => void,
) {
  return {
    async emit(payload: Payload) {
      const open = streamsHere()
      await afterCommit(() => {
        for (const streams of open) act(streams, payload)
      })
      await event.emit(payload)
    },
    event,
    subscribe: (streams: Streams) => event.subscribe((payload) => act(streams, payload)),
  }
}

export const keysRevoked = revocation(keyRevokedEvent, (streams, { userId, keyIds }) =>
  streams.end(userId, keyIds),
)

export const accountSuspended = revocation(accountSuspendedEvent, (streams, { userId }) =>
  streams.end(userId),
)

export const deletionRequested = revocation(deletionRequestedEvent, (streams, { userId }) =>
  streams.end(userId),
)

export const roleChanged = revocation(roleChangedEvent, (streams, { userId }) =>
  streams.reauthorize(userId),
)

/**
 * Also emitted if it is renamed. The code that emits this does not know which accounts have the
 * role.
 */
export const roleGrantsChanged = revocation(
  defineEvent('auth.role.grants.changed', t.Object({ role: t.String() })),
  (streams) => streams.recheck(),
)

/** One event for all, because one for each account could be a million. */
export const everyoneSignedOut = revocation(
  defineEvent('auth.everyone.signed.out', t.Object({})),
  (streams) => streams.recheck(),
)

const revocations = [
  keysRevoked,
  accountSuspended,
  deletionRequested,
  roleChanged,
  roleGrantsChanged,
  everyoneSignedOut,
]

/**
 * From here on the streams of this server end with their credentials. Returns the function that
 * stops that.
 */
export function endStreams(server: Server): () => void {
  here.add(server)
  const subscriptions = revocations.map(({ subscribe }) => subscribe(server.streams))
  return () => {
    here.delete(server)
    for (const unsubscribe of subscriptions) unsubscribe()
  }
}
