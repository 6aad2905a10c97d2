import type { HttpError } from '../errors/errors.ts'
import type {
  Link,
  Listener,
  Notice,
  OpenedStream,
  SSEMessage,
  StateChange,
  StreamGap,
  StreamState,
} from './notice.ts'
import { type ChannelPresence, KnownPresence, type ToldPresence, toldIn } from './presence.ts'

/** A subscription whatever its router is. */
export interface AnySubscription {
  readonly events?: readonly string[]
  readonly handlers: Handlers
  readonly channels?: { readonly [channel: string]: Handlers | undefined }
  readonly presence?: PresenceHandlers
  readonly replies?: Handlers
  readonly onOpen?: (opened: OpenedStream) => unknown
  readonly onGap?: (gap: StreamGap) => unknown
  readonly onError?: (error: HttpError) => unknown
  readonly onReconnect?: (attempt: number) => unknown
  readonly onRejected?: (error: HttpError) => unknown
  readonly onClose?: () => unknown
  readonly onMessageError?: (error: HttpError) => unknown
}

// Of any payload: the types are the entries' to keep.
type Handlers = {
  readonly [name: string]: ((payload: never, message: never) => unknown) | undefined
}

/** By channel and resource. */
type PresenceHandlers = {
  readonly [channel: string]:
    | { readonly [resource: string]: ((now: ChannelPresence) => unknown) | undefined }
    | undefined
}

/** With the names that are asked for, and what has come of it. */
interface Held extends AnySubscription {
  readonly events: readonly string[]
  readonly known: KnownPresence
}

export type OpenLink = (events: readonly string[], listener: Listener) => Link

/** Holds one subscription, and calls what it has for what becomes of its connection. */
export class StreamClient {
  readonly #open: OpenLink
  #subscription: Held | undefined
  #link: Link | undefined
  #state: StreamState = 'closed'

  constructor(open: OpenLink) {
    this.#open = open
  }

  getState() {
    return this.#state
  }

  subscribe(given: AnySubscription): () => void {
    const superseded = this.#detach()
    // Its own identity, although somebody may subscribe with one object twice.
    const subscription = { ...given, events: namesOf(given), known: new KnownPresence() }
    this.#subscription = subscription
    this.#state = 'connecting'
    this.#link = this.#open(subscription.events, (notice) => this.#hear(subscription, notice))
    end(superseded)
    return () => {
      if (this.#subscription === subscription) this.close()
    }
  }

  close() {
    end(this.#detach())
  }

  #detach() {
    const subscription = this.#subscription
    this.#link?.close()
    this.#link = undefined
    this.#subscription = undefined
    this.#state = 'closed'
    return subscription
  }

  #hear(subscription: Held, notice: Notice) {
    if (notice.type === 'message') return hand(subscription, notice.message)
    if (notice.type === 'reached') return
    if (notice.type === 'gap') return report('onGap', () => subscription.onGap?.(notice.gap))
    if (notice.type === 'messageError') {
      return report('onMessageError', () => subscription.onMessageError?.(notice.error))
    }
    this.#state = notice.type
    if (notice.type === 'closed') this.#lose(subscription, notice.error)
    else tell(subscription, notice)
  }

  #lose(subscription: AnySubscription, error: HttpError | undefined) {
    if (error) report('onRejected', () => subscription.onRejected?.(error))
    // Whoever heard that may have subscribed anew.
    if (this.#subscription === subscription) this.close()
  }
}

function namesOf({ events, handlers, channels = {}, presence = {} }: AnySubscription) {
  const followed = [channels, presence].flatMap((each) =>
    Object.entries(each).flatMap(([channel, resources]) =>
      Object.keys(resources ?? {}).map((resource) => `${channel}:${resource}`),
    ),
  )
  return [...new Set([...(events ?? Object.keys(handlers)), ...followed])]
}

function tell({ onOpen, onError, onReconnect }: AnySubscription, notice: StateChange) {
  if (notice.type === 'open') report('onOpen', () => onOpen?.(notice.opened))
  if (notice.type === 'error' && notice.error) {
    const { error } = notice
    report('onError', () => onError?.(error))
  }
  if (notice.type === 'connecting' && notice.attempt > 0) {
    report('onReconnect', () => onReconnect?.(notice.attempt))
  }
}

function end(subscription: AnySubscription | undefined) {
  report('onClose', () => subscription?.onClose?.())
}

function hand(subscription: Held, message: SSEMessage) {
  const { handlers, replies = {}, events } = subscription
  const { event, data } = message
  const told = toldIn(message, events)
  if (told) return handPresence(subscription, told)
  const handler =
    [handlers, replies].find((each) => Object.hasOwn(each, event))?.[event] ??
    ofChannel(subscription.channels, event)
  if (handler) report(`The handler of ${event}`, () => handler(data as never, message as never))
}

function handPresence({ presence, known }: Held, told: ToldPresence) {
  const now = known.take(told)
  const handler = ofChannel(presence, told.channel)
  if (now && handler) report(`The handler of who follows ${told.channel}`, () => handler(now))
}

type ByChannel<Handler> = {
  readonly [channel: string]: { readonly [resource: string]: Handler | undefined } | undefined
}

/** What is given for a channel's resource. Either may be called like something that every object has. */
function ofChannel<Handler>(given: ByChannel<Handler> | undefined, name: string) {
  const [channel, resource] = partsOf(name)
  const handlers = given && Object.hasOwn(given, channel) ? given[channel] : undefined
  return handlers && Object.hasOwn(handlers, resource) ? handlers[resource] : undefined
}

/** Channels have no colon in their names, and resources may. */
function partsOf(name: string): [channel: string, resource: string] {
  const colon = name.indexOf(':')
  return [name.slice(0, colon), name.slice(colon + 1)]
}

/** What an application does with a message is no fault of the stream's, which goes on. */
function report(what: string, call: () => unknown) {
  const complain = (error: unknown) => console.error(`${what} failed`, error)
  try {
    const result = call()
    if (result instanceof Promise) result.catch(complain)
  } catch (error) {
    complain(error)
  }
}
