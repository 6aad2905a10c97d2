import type { AnyEvent } from './event.ts'

export type EventMap = Record<string, AnyEvent>

export interface HistoryOptions {
  /** How many emissions are kept. */
  size: number
  /** How long each is kept, in milliseconds. */
  ttl: number
}

export interface EventRouterOptions {
  /** Keeps the last emissions, so that a client that was away for a moment misses none; off unless set. */
  history?: HistoryOptions
}

/** What a stream says of itself. */
const reserved = ['connected', 'ping', 'error', 'gap']

/** A name stands on a line of its frame, and must not be taken for what the stream says of itself. */
export function refuseUnframed(names: readonly string[]) {
  const name = names.find((each) => each === '' || /[\r\n]/.test(each) || reserved.includes(each))
  if (name === undefined) return
  throw new TypeError(
    `Nothing can be streamed as ${JSON.stringify(name)}: choose a name of one line that is none of ${reserved.join(', ')}.`,
  )
}

/** Events by the names under which clients ask for them. */
export class EventRouter<Events extends EventMap = EventMap> {
  readonly events: Events
  readonly eventNames: readonly string[]
  readonly history: HistoryOptions | undefined

  constructor(events: Events, { history }: EventRouterOptions = {}) {
    this.events = events
    this.eventNames = Object.keys(events)
    refuseUnframed(this.eventNames)
    this.history = history
  }
}

/** Groups events for streaming: `defineEventRouter({ orderShipped })`, served by `defineServer().events(…)`. */
export function defineEventRouter<Events extends EventMap>(
  events: Events,
  options?: EventRouterOptions,
): EventRouter<Events> {
  return new EventRouter(events, options)
}
