import { type AnyPresenceChannel, hasPresence, isChannel, isChannelId } from './channel.ts'
import type { AnyEvent } from './event.ts'

/** Events and channels by the names under which clients ask for them. */
export type EventMap = Record<string, AnyEvent>

/** How many emissions a stream keeps for clients that reconnect, and for how long. */
export interface HistoryOptions {
  /** How many emissions are stored. */
  size: number
  /** How long each is stored, in milliseconds. */
  ttl: number
}

/** For `defineEventRouter`: whether a client that reconnects gets what it missed. */
export interface EventRouterOptions {
  /**
   * Stores the last emissions, so that a client that was away for a moment misses none. Off unless
   * set.
   */
  history?: HistoryOptions
}

/** The names of a stream's own messages. */
const reserved = ['connected', 'ping', 'error', 'gap']

/** The frame that tells streams about the followers of a channel. */
export const presenceFrame = 'presence'

interface Framing {
  /** Whether a channel of the router tells who follows it. */
  readonly hasPresence: boolean
}

/**
 * A name is on a line of its frame, and must not be mistaken for a message of the stream itself.
 */
export function refuseUnframed(names: readonly string[], { hasPresence: isTold }: Framing) {
  const taken = isTold ? [...reserved, presenceFrame] : reserved
  const name = names.find((each) => each === '' || /[\r\n]/.test(each) || taken.includes(each))
  if (name === undefined) return
  throw new TypeError(
    `No event can be streamed as ${JSON.stringify(name)}: choose a name of one line, none of ${taken.join(', ')}.`,
  )
}

/** Clients ask for a channel of one resource as `orderChanged:o1`. */
function refuseAmbiguous(events: EventMap) {
  const names = Object.keys(events)
  for (const channel of names.filter((name) => isChannel(events[name] ?? {}))) {
    const other = names.find((name) => name.startsWith(`${channel}:`))
    if (!other && !channel.includes(':')) continue
    throw new TypeError(
      `Rename "${other ?? channel}": what follows a colon names a channel's resource.`,
    )
  }
}

/** Events by the names under which clients ask for them. */
export class EventRouter<Events extends EventMap = EventMap> {
  readonly events: Events
  readonly eventNames: readonly string[]
  readonly history: HistoryOptions | undefined
  /** @internal The channels that tell who follows them, by their names here. */
  readonly '~presence': Readonly<Record<string, AnyPresenceChannel>>

  constructor(events: Events, { history }: EventRouterOptions = {}) {
    this.events = events
    this.eventNames = Object.keys(events)
    this['~presence'] = Object.fromEntries(
      Object.entries(events).flatMap(([name, event]) =>
        hasPresence(event) ? [[name, event]] : [],
      ),
    )
    refuseUnframed(this.eventNames, this)
    refuseAmbiguous(events)
    this.history = history
  }

  get hasChannels() {
    return Object.values(this.events).some((event) => isChannel(event))
  }

  get hasPresence() {
    return Object.keys(this['~presence']).length > 0
  }

  /** @internal All that its streams follow, including which subjects come and go. */
  get '~streamed'(): EventMap {
    const presence = Object.entries(this['~presence']).map(
      ([name, channel]) => [presenceKey(name), channel['~presence']] as const,
    )
    return { ...this.events, ...Object.fromEntries(presence) }
  }

  /**
   * Whether a client may ask for this name: an event that is the same for all, or a channel of one
   * resource.
   */
  has(name: string) {
    const [key, id] = channelIn(name, this.events)
    return id === undefined
      ? Object.hasOwn(this.events, name) && !isChannel(this.events[name] as AnyEvent)
      : key in this.events && isChannelId(id)
  }
}

/**
 * The router's name for the comings and goings of a channel. An event can't have this name: it
 * contains a colon.
 */
export function presenceKey(channel: string) {
  return `${channel}:${presenceFrame}`
}

/** The router's key at the beginning of a name, and the resource if that is a channel. */
export function channelIn(name: string, events: EventMap): readonly [key: string, id?: string] {
  const colon = name.indexOf(':')
  const key = name.slice(0, colon)
  const isOne = colon > 0 && Object.hasOwn(events, key) && isChannel(events[key] as AnyEvent)
  return isOne ? [key, name.slice(colon + 1)] : [name]
}

/** Groups events for streaming: `defineEventRouter({ orderShipped })`, served by `defineServer().events(…)`. */
export function defineEventRouter<Events extends EventMap>(
  events: Events,
  options?: EventRouterOptions,
): EventRouter<Events> {
  return new EventRouter(events, options)
}
