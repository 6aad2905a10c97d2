import { createApi, type ServerClock, type SignRequest } from '../call/call.ts'
import { eventRouteMapOf } from '../events/contract.ts'
import type { Told } from './source.ts'
import type { StreamChange } from './sse-source.ts'
import { placeOf, type StreamPlace } from './stream-url.ts'

/**
 * Where `eventsToken` and `eventsSubscribe` send their requests: to the web app's proxy, or signed
 * to the API.
 */
export interface EventsTokenOptions extends StreamPlace {
  /** The web app's RPC proxy. `/api/rpc` unless set. */
  rpcBaseUrl?: string
  /** Signs requests, which then go to the API itself instead of the proxy. */
  sign?: SignRequest
  /** The clock for signing. */
  clock?: ServerClock
  /** Sends cookies to a proxy of another origin, too. */
  withCredentials?: boolean
}

// The result of the route map. Its router belongs to the framework and has no type to infer from.
interface EventsApi {
  eventsToken: { call(): Promise<{ token: string }> }
  eventsSubscribe: { call(input: { body: StreamChange }): Promise<Told> }
}

/**
 * Gets one-time tokens by the operation `eventsToken`: the `acquireToken` of a stream client for a
 * signed-in user.
 */
export function eventsToken(options: EventsTokenOptions = {}): () => Promise<string> {
  const api = apiOnce(options)
  return async () => (await api().eventsToken.call()).token
}

/**
 * Changes an open event stream by the operation `eventsSubscribe`: the `sendChange` of a client for
 * a signed-in user.
 */
export function eventsSubscribe(
  options: EventsTokenOptions = {},
): (change: StreamChange) => Promise<Told> {
  const api = apiOnce(options)
  return async (body) => api().eventsSubscribe.call({ body })
}

/**
 * A server that renders the page also makes clients, but can't resolve an address that is relative
 * to the page.
 */
function apiOnce(options: EventsTokenOptions) {
  let api: EventsApi | undefined
  return () => (api ??= apiOf(options))
}

function apiOf({ rpcBaseUrl = '/api/rpc', sign, clock, ...options }: EventsTokenOptions) {
  const { pathname, origin } = placeOf(options, '/events/stream')
  return createApi({
    routeMap: eventRouteMapOf(pathname),
    baseUrl: origin,
    ...(sign ? { sign } : { proxy: rpcBaseUrl }),
    ...(clock && { clock }),
    ...(options.withCredentials && {
      fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }),
    }),
  }) as unknown as EventsApi
}
