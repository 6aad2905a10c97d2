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

/** For `createSSEClient`: where the stream is, and how to connect to it. */
export interface SSEClientOptions extends StreamClientOptions {
  /** Sends cookies to another origin, too. */
  withCredentials?: boolean
  /**
   * One connection for all tabs of this origin, if the browser lets them communicate. If the stream
   * differs between users, give a text that identifies the user, such as their id: tabs share only
   * with the same text.
   */
  shareAcrossTabs?: boolean | string
  /**
   * Sends a change of the open stream, for `follow` and `leave`. Unless set, it is an unsigned
   * request to the API. If users sign in at the API, use `eventsSubscribe()`.
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

/** The text that identifies whose stream tabs share, if they do. */
function ownerOf({ shareAcrossTabs = false, acquireToken, withCredentials }: SSEClientOptions) {
  if (shareAcrossTabs !== true) return shareAcrossTabs || undefined
  // Two users may sign in in one browser, one after the other. The second one would get the first
  // one's events.
  if (!acquireToken && !withCredentials) return ''
  throw new TypeError('shareAcrossTabs must name the owner of the stream, such as the user’s id.')
}
