import { createApi, type ServerClock, type SignRequest } from '../call/call.ts'
import { eventRouteMapOf } from '../events/contract.ts'
import { placeOf, type StreamPlace } from './stream-url.ts'

export interface EventsTokenOptions extends StreamPlace {
  /** The web app's RPC proxy. `/api/rpc` unless set. */
  rpcBaseUrl?: string
  /** Signs requests for tokens, which then go to the API itself instead of the proxy. */
  sign?: SignRequest
  /** The time that requests are signed with. */
  clock?: ServerClock
  /** Sends cookies to a proxy of another origin as well. */
  withCredentials?: boolean
}

// What the route map comes to; its router is the framework's own and has no type to infer from.
interface EventsTokenApi {
  eventsToken: { call(): Promise<{ token: string }> }
}

/** Mints one-time tokens by the operation `eventsToken`: the `acquireToken` of a stream client whose user is signed in. */
export function eventsToken(options: EventsTokenOptions = {}): () => Promise<string> {
  let api: EventsTokenApi | undefined
  return async () => {
    api ??= apiOf(options)
    return (await api.eventsToken.call()).token
  }
}

function apiOf({ rpcBaseUrl = '/api/rpc', sign, clock, ...options }: EventsTokenOptions) {
  const { pathname, origin } = placeOf(options, '/events/stream')
  return createApi({
    routeMap: eventRouteMapOf(pathname),
    ...(sign ? { baseUrl: origin, sign } : { proxy: rpcBaseUrl }),
    ...(clock && { clock }),
    ...(options.withCredentials && {
      fetch: (input, init) => fetch(input, { ...init, credentials: 'include' }),
    }),
  }) as unknown as EventsTokenApi
}
