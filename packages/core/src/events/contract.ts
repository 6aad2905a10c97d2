export {
  type AnyChannel,
  type AnyPresenceChannel,
  ChannelDefinition,
  defineChannel,
  hasPresence,
  isChannel,
  type OfChannel,
  type PresenceChange,
  PresenceChannel,
} from './channel.ts'
export { type AnyEvent, defineEvent, EventDefinition } from './event.ts'
export type { EventCache } from './event-cache.ts'
export {
  channelIn,
  defineEventRouter,
  type EventMap,
  EventRouter,
  type EventRouterOptions,
  type HistoryOptions,
  presenceFrame,
  presenceKey,
} from './event-router.ts'
export { isSubprotocol, subprotocol, tokenPrefix } from './subprotocol.ts'
export {
  eventRouteMap,
  eventRouteMapOf,
  subscriptionsPathOf,
  tokenPathOf,
} from './token-path.ts'
export {
  defineMessage,
  defineWebSocketRouter,
  Message,
  type MessageContext,
  type MessageHandler,
  type MessageMap,
  type MessageSocket,
  subscribing,
  WebSocketRouter,
} from './web-socket-router.ts'
