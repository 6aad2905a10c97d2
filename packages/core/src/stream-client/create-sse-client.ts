import { planOf, type StreamClientOptions } from './client-options.ts'
import { Connection } from './connection.ts'
import { eventsSubscribe } from './events-token.ts'
import { SharedConnection } from './shared-connection.ts'
import type { Told } from './source.ts'
import { type StreamChange, sseSource } from './sse-source.ts'
import { type OpenLink, StreamClient } from './stream-client.ts'
import { placeOf } from './stream-url.ts'
import type { AnyEventRouter, SSEClient } from './subscription.ts'
import { tabsCanTalk } from './tab-channel.ts'

export interface SSEClientOptions extends StreamClientOptions {
  /** Sends cookies to another origin as well. */
  withCredentials?: boolean
  /**
   * One connection for all tabs of this origin, where the browser lets them talk. A stream that is not the same for
   * every user needs a text that tells whose it is, such as the user's id: others share only what has the same.
   */
  shareAcrossTabs?: boolean | string
  /**
   * Sends what the open stream follows from now on, for `follow` and `leave`. Unless set, it is a request to the API
   * without a signature. Where the API signs people in, use `eventsSubscribe()`.
   */
  sendChange?: (change: StreamChange) => Promise<Told>
}

/** Streams a router's events over server-sent events: `createSSEClient<typeof eventRouter>()`. */
export function createSSEClient<Router extends AnyEventRouter>(
  options: SSEClientOptions = {},
): SSEClient<Router> {
  return new StreamClient(linkOpener(options))
}

function linkOpener(options: SSEClientOptions): OpenLink {
  const place = () => placeOf(options, '/events/stream')
  const credentials = options.withCredentials ? 'include' : 'same-origin'
  const { sendChange = eventsSubscribe({ ...options, rpcBaseUrl: '' }) } = options
  const plan = planOf(options, sseSource({ place, credentials, sendChange }))
  const owner = ownerOf(options)
  return (events, listener) =>
    owner !== undefined && tabsCanTalk()
      ? new SharedConnection({ ...plan, events }, `svc-stream ${place().href} ${owner}`, listener)
      : new Connection({ ...plan, events }, listener)
}

/** Whose stream tabs share, where they do. */
function ownerOf({ shareAcrossTabs = false, acquireToken, withCredentials }: SSEClientOptions) {
  if (shareAcrossTabs !== true) return shareAcrossTabs || undefined
  // Two people may be signed in in one browser, one after the other: the second would get the first one's events.
  if (!acquireToken && !withCredentials) return ''
  throw new TypeError('shareAcrossTabs must tell whose stream it is, such as by the user’s id.')
}
