export { createStreamTokens, type StreamTokenOptions } from './access/create-stream-tokens.ts'
export { refuseUnasked } from './access/refuse-unasked.ts'
export type { StreamCredentials } from './access/stream-credentials.ts'
export type {
  EventStreamOptions,
  StreamAuthOptions,
  WebSocketOptions,
} from './access/stream-options.ts'
export {
  type StreamSettings,
  socketAuth,
  socketPath,
  streamAuth,
  streamPath,
  subscriptionsPath,
  tokenAuth,
  tokenPath,
} from './access/stream-settings.ts'
export type {
  SSEToken,
  SSETokenStore,
  StreamGrant,
  StreamToken,
  StreamTokenStore,
  StreamTokens,
} from './access/stream-tokens.ts'
export { besideStreamsRouter, eventStreamRouter } from './stream-routes.ts'
export { StreamsOfServer } from './streams-of-server.ts'
