export {
  type AnswerOf,
  type Api,
  type ApiOptions,
  type Call,
  type CallInput,
  type CallOptions,
  createApi,
  createServerClock,
  directRequest,
  inputHeader,
  type Outcome,
  type PreparedRequest,
  placeHeader,
  RawBody,
  type Received,
  type RequestToSign,
  requestSigner,
  type ServerClock,
  type SigningKey,
  type SignRequest,
  signAgainAheadMillis,
  signRequest,
  type Wait,
} from './call/call.ts'
export { ApiUnreachableError, type FrameworkError } from './call/errors.ts'
export * from './errors/contract.ts'
export { HttpError } from './errors/errors.ts'
export { type ErrorEnvelope, isOwnPath } from './request/client.ts'
export type { RouteMap, RouteMapEntry } from './routes/contract.ts'
export {
  type AuthSSEClientOptions,
  type ChannelPresence,
  createAuthSSEClient,
  createSSEClient,
  createWSClient,
  type EventsTokenOptions,
  eventsToken,
  type OpenedStream,
  type SSEClient,
  type SSEClientOptions,
  type SSEMessage,
  type StreamGap,
  type StreamState,
  type StreamSubscription,
  type WSClient,
  type WSClientOptions,
  type WSSubscription,
} from './stream-client/client.ts'
