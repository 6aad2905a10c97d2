import type { AnySchema, InputOf, OutputOf } from '../schema/schema.ts'
import {
  type EventMap,
  EventRouter,
  type EventRouterOptions,
  refuseUnframed,
} from './event-router.ts'

/** The socket that a message came over. */
export interface MessageSocket {
  /** Sends a frame of any type. */
  send(type: string, data?: unknown): void
  /** 1000 unless another code is given. */
  close(code?: number, reason?: string): void
}

/** What the handler of a WebSocket message gets. */
export interface MessageContext<Payload> {
  readonly payload: Payload
  /** The subject of the connection, if streams are authenticated. */
  readonly subject?: string
  readonly ws: MessageSocket
}

export type MessageHandler<Payload = unknown, Reply = unknown> = (
  message: MessageContext<Payload>,
) => Reply | Promise<Reply>

/** A message that clients may send under a name, with its handler. */
export class Message<Given = unknown, Reply = unknown> {
  // Never set: they carry the types to the client.
  declare readonly '~given': Given
  declare readonly '~reply': Reply
  readonly schema: AnySchema
  // oxlint-disable-next-line typescript/no-explicit-any -- its payload is what the schema lets through
  readonly handler: MessageHandler<any>

  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  constructor(schema: AnySchema, handler: MessageHandler<any>) {
    this.schema = schema
    this.handler = handler
  }
}

/**
 * A message that clients send over a WebSocket. The value that the handler returns goes back to the
 * sender as a frame of the message's own type. If it returns nothing, nothing is sent.
 */
export function defineMessage<Schema extends AnySchema, Reply>(
  schema: Schema,
  handler: MessageHandler<OutputOf<Schema>, Reply>,
): Message<InputOf<Schema>, Reply> {
  return new Message(schema, handler)
}

/** A message with a schema, or a handler alone. A handler alone gets the payload as it was sent. */
// oxlint-disable-next-line typescript/no-explicit-any -- a map of messages of any payload
export type MessageMap = Record<string, Message<any, any> | MessageHandler<any, any>>

/** An event router whose clients also send messages. */
export class WebSocketRouter<
  Events extends EventMap = EventMap,
  Messages extends MessageMap = MessageMap,
> extends EventRouter<Events> {
  readonly messages: Messages

  constructor(events: Events, messages: Messages, options?: EventRouterOptions) {
    super(events, options)
    this.messages = messages
    refuseUnframed(Object.keys(messages), this)
    refuseSubscribing(this, Object.keys(messages))
    const twin = Object.keys(messages).find((name) => Object.hasOwn(events, name))
    if (twin) throw new TypeError(`"${twin}" is both an event and a message: rename one of them.`)
  }
}

/** The messages by which a client of a router with channels follows other ones, and the reply. */
export const subscribing = ['subscribe', 'unsubscribe', 'subscribed'] as const

function refuseSubscribing({ events, hasChannels }: EventRouter, messages: readonly string[]) {
  const name = subscribing.find((each) => messages.includes(each) || Object.hasOwn(events, each))
  if (!hasChannels || name === undefined) return
  throw new TypeError(`Rename "${name}": a router with channels uses this name to follow them.`)
}

interface Definition<Events, Messages> extends EventRouterOptions {
  events?: Events
  messages?: Messages
}

/** Groups events and messages for a WebSocket, served by `defineServer().websockets(…)`. */
export function defineWebSocketRouter<
  Events extends EventMap = {},
  Messages extends MessageMap = {},
>({
  events,
  messages,
  ...options
}: Definition<Events, Messages>): WebSocketRouter<Events, Messages> {
  return new WebSocketRouter(events ?? ({} as Events), messages ?? ({} as Messages), options)
}
