export type { AnswerOf, Api, Call, CallOptions, Outcome, Received } from './call/api.ts'
export { ApiUnreachableError } from './call/api-unreachable-error.ts'
export { type ApiOptions, createApi } from './call/create-api.ts'
export type { FrameworkError } from './call/framework-error.ts'
export { placeHeader, type Wait } from './call/kept-place.ts'
export { inputHeader, RawBody } from './call/raw-body.ts'
export { type CallInput, directRequest, type PreparedRequest } from './call/request.ts'
export { createServerClock, type ServerClock } from './call/server-clock.ts'
export { signAgainAheadMillis } from './call/sign-again.ts'
export {
  type RequestToSign,
  requestSigner,
  type SigningKey,
  type SignRequest,
  signRequest,
} from './call/sign-request.ts'
export * from './errors/contract.ts'
export { HttpError } from './errors/errors.ts'
export { BodiesUnderWay } from './infrastructure/bodies-under-way.ts'
export { proxySigner, type SignAsProxy } from './proxy-guard/client.ts'
export { type ErrorEnvelope, refusal } from './request/envelope.ts'
export { forwardedAddress } from './request/forwarded-address.ts'
export { parseJson } from './request/json-body.ts'
export { isOwnPath } from './request/own-path.ts'
export type { RouteMap, RouteMapEntry } from './routes/route-map.ts'
export {
  type AuthSSEClientOptions,
  createAuthSSEClient,
} from './stream-client/create-auth-sse-client.ts'
export { createSSEClient, type SSEClientOptions } from './stream-client/create-sse-client.ts'
export { createWSClient, type WSClientOptions } from './stream-client/create-ws-client.ts'
export { type EventsTokenOptions, eventsToken } from './stream-client/events-token.ts'
export type { OpenedStream, SSEMessage, StreamState } from './stream-client/notice.ts'
export type {
  SSEClient,
  StreamSubscription,
  WSClient,
  WSSubscription,
} from './stream-client/subscription.ts'
