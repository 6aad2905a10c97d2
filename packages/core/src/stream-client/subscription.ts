import type { Received } from '../call/call.ts'
import type { HttpError } from '../errors/errors.ts'
import type { EventRouter, MessageContext, WebSocketRouter } from '../events/contract.ts'
import type { OpenedStream, SSEMessage, StreamGap, StreamState } from './notice.ts'
import type { ChannelPresence } from './presence.ts'

export type AnyEventRouter = EventRouter
export type AnyWebSocketRouter = WebSocketRouter

/** The type of a payload as it arrives: JSON has null for nothing. */
type ReceivedPayload<Payload> =
  | Received<Exclude<Payload, undefined>>
  | (undefined extends Payload ? null : never)

type Names<Router extends AnyEventRouter> = keyof Router['events'] & string

type ChannelNames<Router extends AnyEventRouter> = {
  [Name in Names<Router>]: Router['events'][Name] extends { readonly '~isChannel': true }
    ? Name
    : never
}[Names<Router>]

type EventNames<Router extends AnyEventRouter> = Exclude<Names<Router>, ChannelNames<Router>>

type PayloadOf<Event> = Event extends { readonly '~payload': infer Payload }
  ? ReceivedPayload<Payload>
  : never

/** Gets the payload as JSON: a date is text. If it throws, the error is reported on the console. */
type StreamHandler<Payload> = (payload: Payload, message: SSEMessage<Payload>) => unknown

/** The payload of a router's event, as it arrives. */
export type StreamPayload<
  Router extends AnyEventRouter,
  Name extends keyof Router['events'],
> = PayloadOf<Router['events'][Name]>

type DataOf<Event> = Event extends { readonly '~data': infer Data } ? ReceivedPayload<Data> : never

/** By channel and resource: `{ orderChanged: { [orderId]: ({ status }) => … } }`. */
type ChannelHandlers<Router extends AnyEventRouter> = {
  readonly [Name in ChannelNames<Router>]?: {
    readonly [resource: string]: StreamHandler<DataOf<Router['events'][Name]>>
  }
}

type StreamHandlers<Router extends AnyEventRouter> = {
  readonly [Name in EventNames<Router>]?: StreamHandler<PayloadOf<Router['events'][Name]>>
}

type PresenceNames<Router extends AnyEventRouter> = {
  [Name in Names<Router>]: Router['events'][Name] extends { readonly '~presence': unknown }
    ? Name
    : never
}[Names<Router>]

/** By channel and resource: `{ roomSaid: { [roomId]: ({ present }) => … } }`. */
type PresenceHandlers<Router extends AnyEventRouter> = {
  readonly [Name in PresenceNames<Router>]?: {
    readonly [resource: string]: (now: ChannelPresence) => unknown
  }
}

/** What a stream follows. */
interface Followed<Router extends AnyEventRouter> {
  readonly handlers?: StreamHandlers<Router>
  /** Follows these channels, and gets the messages about their resources. */
  readonly channels?: ChannelHandlers<Router>
  /**
   * Follows these channels. Called with the other followers when the stream begins to follow, and
   * whenever they change.
   */
  readonly presence?: PresenceHandlers<Router>
}

/** What a stream no longer follows: `{ channels: { orderChanged: [orderId] } }`. */
interface Left<Router extends AnyEventRouter> {
  readonly events?: readonly EventNames<Router>[]
  /** The resources, by channel. Their handlers of `channels` and of `presence` are dropped. */
  readonly channels?: { readonly [Name in ChannelNames<Router>]?: readonly string[] }
}

/** What a client wants from its stream, and the functions that it calls. */
export interface StreamSubscription<Router extends AnyEventRouter> extends Followed<Router> {
  /** The events to ask for; those with a handler unless set. */
  readonly events?: readonly EventNames<Router>[]
  readonly handlers: StreamHandlers<Router>
  /**
   * Called at the start and after every reconnect. Unless the stream is `recovered`, events may
   * have been missed.
   */
  readonly onOpen?: (opened: OpenedStream) => unknown
  /** The stream stays open, but events may be missing: read the state again. */
  readonly onGap?: (gap: StreamGap) => unknown
  /** The connection dropped. Another attempt follows, unless `onClose` is called. */
  readonly onError?: (error: HttpError) => unknown
  /** An attempt begins. Attempts are counted since the stream was last open. */
  readonly onReconnect?: (attempt: number) => unknown
  /** The server has refused the stream for good. */
  readonly onRejected?: (error: HttpError) => unknown
  /** It is over: closed, replaced, refused or given up. */
  readonly onClose?: () => unknown
}

/** What both kinds of clients can do with their subscription. */
interface StreamClient<Router extends AnyEventRouter> {
  /**
   * Follows more on the open connection, and after each reconnect, if the router has a channel. It
   * resolves when the server has accepted the change: you get all later events. It rejects if the
   * server refuses a name, for example with a `ForbiddenError`. The other names are followed.
   */
  follow(more: Followed<Router>): Promise<void>
  /**
   * Stops following these. Their handlers get nothing more. It resolves when the server has
   * accepted the change.
   */
  leave(left: Left<Router>): Promise<void>
  getState(): StreamState
  close(): void
}

/** A client of one event stream. `createSSEClient` and `createAuthSSEClient` make it. */
export interface SSEClient<Router extends AnyEventRouter> extends StreamClient<Router> {
  /**
   * The returned function ends it. A client holds one subscription: a new one closes the one
   * before.
   */
  subscribe(subscription: StreamSubscription<Router>): () => void
}

type MessageNames<Router extends AnyWebSocketRouter> = keyof Router['messages'] & string

/** A message that was defined with a schema, or a handler alone. */
type GivenOf<Message> = Message extends { readonly '~given': infer Given }
  ? Given
  : Message extends (message: MessageContext<infer Payload>) => unknown
    ? Payload
    : never

type ReplyOf<Message> = Message extends { readonly '~reply': infer Reply }
  ? Awaited<Reply>
  : Message extends (...args: never[]) => infer Reply
    ? Awaited<Reply>
    : never

type ReplyHandlers<Router extends AnyWebSocketRouter> = {
  readonly [Name in MessageNames<Router>]?: (
    reply: Received<Exclude<ReplyOf<Router['messages'][Name]>, undefined | void>>,
  ) => unknown
}

/** What a client wants from its WebSocket: as for a stream, and the replies to its messages. */
export interface WSSubscription<Router extends AnyWebSocketRouter>
  extends StreamSubscription<Router> {
  /** Handlers for replies to messages, by the message's type. */
  readonly replies?: ReplyHandlers<Router>
  /** The server could not accept a message. */
  readonly onMessageError?: (error: HttpError) => unknown
}

/** An empty payload may be left out. */
type PayloadArguments<Given> = undefined extends Given ? [payload?: Given] : [payload: Given]

/** A client of one WebSocket: it receives events and sends messages. `createWSClient` makes it. */
export interface WSClient<Router extends AnyWebSocketRouter> extends StreamClient<Router> {
  /**
   * The returned function ends it. A client holds one subscription: a new one closes the one
   * before.
   */
  subscribe(subscription: WSSubscription<Router>): () => void
  /**
   * False if there is no open connection. Nothing is queued, because it might arrive too late to be
   * useful.
   */
  send<Name extends MessageNames<Router>>(
    type: Name,
    ...payload: PayloadArguments<GivenOf<Router['messages'][Name]>>
  ): boolean
}
