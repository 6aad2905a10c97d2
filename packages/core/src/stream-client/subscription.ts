import type { Received } from '../call/call.ts'
import type { HttpError } from '../errors/errors.ts'
import type { EventRouter, MessageContext, WebSocketRouter } from '../events/contract.ts'
import type { OpenedStream, SSEMessage, StreamGap, StreamState } from './notice.ts'
import type { ChannelPresence } from './presence.ts'

export type AnyEventRouter = EventRouter
export type AnyWebSocketRouter = WebSocketRouter

/** What arrives of a payload: JSON has null for nothing. */
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

/** Gets the payload as JSON makes it, a date as text. One that throws is reported on the console. */
type StreamHandler<Payload> = (payload: Payload, message: SSEMessage<Payload>) => unknown

/** The payload of an event of a router, as it arrives. */
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
  /** Follows these channels, and gets what is said of their resources. */
  readonly channels?: ChannelHandlers<Router>
  /** Follows these channels. Called with who else does as the stream begins to, and whenever that changes. */
  readonly presence?: PresenceHandlers<Router>
}

/** What a stream follows no longer: `{ channels: { orderChanged: [orderId] } }`. */
interface Left<Router extends AnyEventRouter> {
  readonly events?: readonly EventNames<Router>[]
  /** By channel, the resources. Their handlers of `channels` and of `presence` are dropped. */
  readonly channels?: { readonly [Name in ChannelNames<Router>]?: readonly string[] }
}

export interface StreamSubscription<Router extends AnyEventRouter> extends Followed<Router> {
  /** The events to ask for; those that have a handler unless set. */
  readonly events?: readonly EventNames<Router>[]
  readonly handlers: StreamHandlers<Router>
  /** At the start and after every reconnect: unless it is `recovered`, something may have been missed. */
  readonly onOpen?: (opened: OpenedStream) => unknown
  /** The stream stays open, and may have left something out: read the state again. */
  readonly onGap?: (gap: StreamGap) => unknown
  /** The connection dropped. Another attempt follows unless `onClose` does. */
  readonly onError?: (error: HttpError) => unknown
  /** An attempt begins; they are counted since the stream was last open. */
  readonly onReconnect?: (attempt: number) => unknown
  /** The server has refused the stream for good. */
  readonly onRejected?: (error: HttpError) => unknown
  /** It is over: closed, superseded, refused or given up. */
  readonly onClose?: () => unknown
}

/** What both kinds of clients do with the subscription that they hold. */
interface StreamClient<Router extends AnyEventRouter> {
  /**
   * Follows more on the open connection, and after each reconnect; the router has a channel. It resolves when the server
   * has taken the change: what is emitted from then on comes. It rejects if the server refuses a name, such as by a
   * `ForbiddenError`. The other names are followed.
   */
  follow(more: Followed<Router>): Promise<void>
  /** Follows these no longer. Their handlers get nothing more. It resolves when the server has taken the change. */
  leave(left: Left<Router>): Promise<void>
  getState(): StreamState
  close(): void
}

export interface SSEClient<Router extends AnyEventRouter> extends StreamClient<Router> {
  /** The answer ends it. A client holds one subscription: a new one closes the one before. */
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

export interface WSSubscription<Router extends AnyWebSocketRouter>
  extends StreamSubscription<Router> {
  /** What comes back for messages that were sent, by the message's type. */
  readonly replies?: ReplyHandlers<Router>
  /** The server could not take a message. */
  readonly onMessageError?: (error: HttpError) => unknown
}

/** A payload of nothing may be left out. */
type PayloadArguments<Given> = undefined extends Given ? [payload?: Given] : [payload: Given]

export interface WSClient<Router extends AnyWebSocketRouter> extends StreamClient<Router> {
  /** The answer ends it. A client holds one subscription: a new one closes the one before. */
  subscribe(subscription: WSSubscription<Router>): () => void
  /** False when there is no open connection: nothing is queued, for it might arrive too late to be of use. */
  send<Name extends MessageNames<Router>>(
    type: Name,
    ...payload: PayloadArguments<GivenOf<Router['messages'][Name]>>
  ): boolean
}
