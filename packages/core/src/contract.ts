export {
  bytesBody,
  type DeclaredBody,
  multipartBody,
  type ReceivedBytes,
  type ReceivedFile,
  type ReceivedForm,
  type ReceivedStream,
  type SentBytes,
  streamBody,
} from './bodies/contract.ts'
export * from './errors/contract.ts'
export { type ErrorFacts, HttpError } from './errors/errors.ts'
export {
  ChannelDefinition,
  defineChannel,
  defineEvent,
  defineEventRouter,
  defineMessage,
  defineWebSocketRouter,
  type EventCache,
  EventDefinition,
  type EventMap,
  EventRouter,
  type EventRouterOptions,
  eventRouteMap,
  eventRouteMapOf,
  type HistoryOptions,
  Message,
  type MessageContext,
  type MessageSocket,
  type OfChannel,
  PresenceChannel,
  WebSocketRouter,
} from './events/contract.ts'
export { EventPayloadError } from './events/errors.ts'
export {
  type CountedBy,
  perDay,
  perHour,
  perMinute,
  type RateLimit,
  type RouteLimit,
} from './limits/contract.ts'
export { type Answer, type Page, type Pagination, type Success } from './request/client.ts'
export {
  type AnyRoute,
  type ContractPlace,
  type DeviceContract,
  defineRouter,
  type ErrorClass,
  type Method,
  type Operation,
  type Returnable,
  Route,
  type RouteMap,
  type RouteMapEntry,
  Router,
  route,
  routeMapOf,
  type ToolContent,
  type ToolDocument,
  type ToolTask,
  type ToolTaskState,
  type ToolWords,
} from './routes/contract.ts'
export {
  type AnySchema,
  type InputOf,
  type InputSchemas,
  type OutputOf,
  /**
   * TypeBox, which builds schemas: `t.Object({ name: t.String() })`. A member whose schema has a
   * `default` may be left out.
   */
  t,
} from './schema/schema.ts'
