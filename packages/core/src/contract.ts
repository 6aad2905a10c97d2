export type { DeclaredBody } from './bodies/body-form.ts'
export {
  bytesBody,
  type ReceivedBytes,
  type ReceivedStream,
  type SentBytes,
  streamBody,
} from './bodies/declared-body.ts'
export { multipartBody, type ReceivedFile, type ReceivedForm } from './bodies/declared-multipart.ts'
export * from './errors/contract.ts'
export { type ErrorFacts, HttpError } from './errors/errors.ts'
export { EventPayloadError } from './events/errors.ts'
export { defineEvent, EventDefinition } from './events/event.ts'
export type { EventCache } from './events/event-cache.ts'
export {
  defineEventRouter,
  type EventMap,
  EventRouter,
  type EventRouterOptions,
  type HistoryOptions,
} from './events/event-router.ts'
export { eventRouteMap, eventRouteMapOf } from './events/token-path.ts'
export {
  defineMessage,
  defineWebSocketRouter,
  Message,
  type MessageContext,
  type MessageSocket,
  WebSocketRouter,
} from './events/web-socket-router.ts'
export { type Answer, type Page, type Pagination, type Success } from './request/answer.ts'
export type { ErrorClass } from './routes/error-class.ts'
export type { ContractPlace, Method, Operation } from './routes/operation.ts'
export { type Returnable, Route, route } from './routes/route.ts'
export type { RouteMap, RouteMapEntry } from './routes/route-map.ts'
export { routeMapOf } from './routes/route-map-of.ts'
export { type AnyRoute, type DeviceContract, defineRouter, Router } from './routes/router.ts'
export type { AnySchema, InputOf, InputSchemas, OutputOf } from './schema/schema.ts'
export * as t from './schema/t.ts'
