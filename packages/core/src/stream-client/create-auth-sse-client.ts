import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import { type EventsTokenOptions, eventsSubscribe, eventsToken } from './events-token.ts'
import type { AnyEventRouter, SSEClient } from './subscription.ts'

export interface AuthSSEClientOptions extends SSEClientOptions, EventsTokenOptions {
  /** Tells whose stream the tabs of this origin share, such as by the user's id. */
  shareAcrossTabs?: string
}

/** Streams a router's events to the user who is signed in: a token is minted before each attempt. */
export function createAuthSSEClient<Router extends AnyEventRouter>(
  options: AuthSSEClientOptions = {},
): SSEClient<Router> {
  return createSSEClient<Router>({
    acquireToken: eventsToken(options),
    sendChange: eventsSubscribe(options),
    ...options,
  })
}
