import type { SSEMessage } from './notice.ts'
import { type ChannelPresence, KnownPresence, toldIn } from './presence.ts'

// Of any payload: the entries guarantee the types.
type Handler = (payload: never, message: never) => unknown

type PresenceHandler = (now: ChannelPresence) => unknown

/** By channel and resource. */
type ByChannel<Value> = {
  readonly [channel: string]: { readonly [resource: string]: Value | undefined } | undefined
}

/** What a subscription follows, for a router of any type. */
export interface Followed {
  readonly handlers?: { readonly [name: string]: Handler | undefined }
  readonly channels?: ByChannel<Handler>
  readonly presence?: ByChannel<PresenceHandler>
}

/** What it no longer follows. */
export interface Left {
  readonly events?: readonly string[]
  readonly channels?: { readonly [channel: string]: readonly string[] | undefined }
}

interface OfName {
  readonly handler?: Handler | undefined
  readonly presence?: PresenceHandler | undefined
}

type Entry = readonly [name: string, ofName: OfName]

/** By the names that the client sends to the server. */
export function byName({ handlers = {}, channels, presence }: Followed): readonly Entry[] {
  return [
    ...Object.entries(handlers).map(([name, handler]): Entry => [name, { handler }]),
    ...ofChannels('handler', channels),
    ...ofChannels('presence', presence),
  ]
}

function ofChannels(kind: keyof OfName, given: ByChannel<unknown> = {}) {
  return Object.entries(given).flatMap(([channel, values = {}]) =>
    Object.entries(values).map(
      ([resource, value]): Entry => [`${channel}:${resource}`, { [kind]: value }],
    ),
  )
}

export function leftNames({ events = [], channels = {} }: Left): readonly string[] {
  const ofResources = Object.entries(channels).flatMap(([channel, resources = []]) =>
    resources.map((resource) => `${channel}:${resource}`),
  )
  return [...events, ...ofResources]
}

/** The handlers of a subscription, by the names on the wire. */
export class Handlers {
  readonly #byName = new Map<string, OfName>()
  readonly #known = new KnownPresence()

  /** They replace handlers of the same names. */
  add(entries: readonly Entry[]) {
    for (const [name, ofName] of entries) {
      this.#byName.set(name, { ...this.#byName.get(name), ...ofName })
      // The server sends it once, and that may have been for another handler.
      if (ofName.presence) this.#tell(name, this.#known.of(name))
    }
  }

  drop(names: readonly string[]) {
    for (const name of names) {
      this.#byName.delete(name)
      this.#known.forget(name)
    }
  }

  /** The names are those of the first request. */
  hand(message: SSEMessage, names: readonly string[]) {
    const told = toldIn(message, names)
    if (told) return this.#tell(told.channel, this.#known.take(told))
    const { event, data } = message
    const handler = this.#byName.get(event)?.handler
    if (handler) report(`The handler of ${event}`, () => handler(data as never, message as never))
  }

  #tell(name: string, now: ChannelPresence | undefined) {
    const handler = this.#byName.get(name)?.presence
    if (now && handler) report(`The handler of ${name}`, () => handler(now))
  }
}

/** If an application's handler throws, the stream goes on. */
export function report(what: string, call: () => unknown) {
  const complain = (error: unknown) => console.error(`${what} failed`, error)
  try {
    const result = call()
    if (result instanceof Promise) result.catch(complain)
  } catch (error) {
    complain(error)
  }
}
