export { type AuthSSEClientOptions, createAuthSSEClient } from './create-auth-sse-client.ts'
export { createSSEClient, type SSEClientOptions } from './create-sse-client.ts'
export { createWSClient, type WSClientOptions } from './create-ws-client.ts'
export { type EventsTokenOptions, eventsSubscribe, eventsToken } from './events-token.ts'
export type { OpenedStream, SSEMessage, StreamGap, StreamState } from './notice.ts'
export type { ChannelPresence } from './presence.ts'
export type {
  SSEClient,
  StreamPayload,
  StreamSubscription,
  WSClient,
  WSSubscription,
} from './subscription.ts'
