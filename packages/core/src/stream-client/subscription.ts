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

export interface StreamSubscription<Router extends AnyEventRouter> {
  /** The events to ask for; those that have a handler unless set. */
  readonly events?: readonly EventNames<Router>[]
  readonly handlers: StreamHandlers<Router>
  /** Follows these channels, and gets what is said of their resources. */
  readonly channels?: ChannelHandlers<Router>
  /** Follows these channels. Called with who else does as the stream begins to, and whenever that changes. */
  readonly presence?: PresenceHandlers<Router>
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

export interface SSEClient<Router extends AnyEventRouter> {
  /** The answer ends it. A client holds one subscription: a new one closes the one before. */
  subscribe(subscription: StreamSubscription<Router>): () => void
  getState(): StreamState
  close(): void
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

export interface WSClient<Router extends AnyWebSocketRouter> {
  /** The answer ends it. A client holds one subscription: a new one closes the one before. */
  subscribe(subscription: WSSubscription<Router>): () => void
  /** False when there is no open connection: nothing is queued, for it might arrive when nobody wants it any more. */
  send<Name extends MessageNames<Router>>(
    type: Name,
    ...payload: PayloadArguments<GivenOf<Router['messages'][Name]>>
  ): boolean
  getState(): StreamState
  close(): void
}
