import { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
import { type EventsTokenOptions, eventsSubscribe, eventsToken } from './events-token.ts'
import type { AnyEventRouter, SSEClient } from './subscription.ts'

/** For `createAuthSSEClient`: where the stream is, and how it gets its tokens. */
export interface AuthSSEClientOptions extends SSEClientOptions, EventsTokenOptions {
  /**
   * Identifies the user whose stream the tabs of this origin share, for example by the user's id.
   */
  shareAcrossTabs?: string
}

/** Streams a router's events to the signed-in user. It gets a token before each attempt. */
export function createAuthSSEClient<Router extends AnyEventRouter>(
  options: AuthSSEClientOptions = {},
): SSEClient<Router> {
  return createSSEClient<Router>({
    acquireToken: eventsToken(options),
    sendChange: eventsSubscribe(options),
    ...options,
  })
}
