import type { HistoryOptions } from '../events/contract.ts'
import type { LogConnection } from './log-connection.ts'
import {
  type EventRow,
  newer,
  type RouterNumber,
  type StateRow,
  state,
  tick,
} from './statements.ts'

/** An emission with its place in the log. */
export interface LoggedEvent {
  readonly epoch: string
  /** Counts the router's emissions in the order of their commits. */
  readonly position: number
  /** The router's key of the event. */
  readonly name: string
  readonly json: string
  readonly traceparent: string | undefined
  /** When it was emitted, by this process's own `performance.now()`. */
  readonly emittedAt: number
}

/**
 * Why a client can't get the events that it missed: they are no longer stored, or the log is not
 * the one that the client knew.
 */
export type Loss = 'expired' | 'unknown'

export interface Follower {
  /** The next events in order, without a gap. */
  took(events: readonly LoggedEvent[]): void
  /** Events before the log's present position are lost to this process. */
  lost(loss: Loss): void
}

const pageRows = 1000

/** The log of one router, as this process follows it. */
export class RouterLog {
  readonly number: RouterNumber
  readonly #history: HistoryOptions
  readonly #connection: LogConnection
  readonly #followers = new Set<Follower>()
  #epoch = ''
  #position = 0
  #slot = 0

  constructor(number: RouterNumber, history: HistoryOptions, connection: LogConnection) {
    this.number = number
    this.#history = history
    this.#connection = connection
  }

  get epoch() {
    return this.#epoch
  }

  /** The position up to which this process has followed it. */
  get position() {
    return this.#position
  }

  /**
   * The slot for new rows, as this process last saw it. Transactions that are open when the slots
   * change write their rows late. These rows get their place all the same.
   */
  get slot() {
    return this.#slot
  }

  /** Begins at the end of the log. */
  async open() {
    const [now] = await this.#connection.query<StateRow>(state(this.number))
    if (!now) throw new Error('The log of events has no row for its router.')
    this.#epoch = now.epoch
    this.#position = now.head
    this.#slot = now.slot
  }

  follow(follower: Follower): () => void {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }

  /** Gives positions to the emissions that are committed by now. */
  async tick() {
    await this.#connection.query(tick(this.number, this.#history))
  }

  /** Hands on the events that are new to this process. */
  async catchUp() {
    while (this.#take(await this.#page(this.#position)));
  }

  /**
   * Up to so many events after a position, oldest first; null if the next one is no longer stored.
   */
  async after(position: number, count = pageRows): Promise<LoggedEvent[] | null> {
    const rows = await this.#page(position, count)
    const [now] = rows
    const isKept = now && now.floor <= position && now.epoch === this.#epoch
    return isKept ? (eventsOf(rows, position)?.slice(0, count) ?? null) : null
  }

  #page(after: number, count = pageRows) {
    return this.#connection.query<EventRow>(newer(this.number, after, count))
  }

  /** Returns whether there may be more. */
  #take(rows: readonly EventRow[]) {
    const [now] = rows
    if (!now) return false
    this.#slot = now.slot
    // Another log begins at its floor. What comes after that was committed since.
    if (now.epoch !== this.#epoch) return this.#goOn(now.epoch, now.floor, 'unknown')
    if (now.floor > this.#position) return this.#goOn(now.epoch, now.floor, 'expired')
    const events = eventsOf(rows, this.#position)
    // Its rows were deleted while they were read.
    if (!events) return this.#goOn(now.epoch, rows.at(-1)?.last ?? now.head, 'expired')
    const last = events.at(-1)
    if (!last) return false
    this.#position = last.position
    for (const follower of this.#followers) follower.took(events)
    return this.#position < now.head
  }

  #goOn(epoch: string, position: number, loss: Loss) {
    this.#epoch = epoch
    this.#position = position
    for (const follower of this.#followers) follower.lost(loss)
    return true
  }
}

/**
 * Rows come tick by tick, and the events of each tick in the order of their positions. Null if one
 * of them is gone.
 */
function eventsOf(rows: readonly EventRow[], after: number): LoggedEvent[] | null {
  const now = performance.now()
  const events: LoggedEvent[] = []
  let position = 0
  let end: number | null = null
  for (const row of rows) {
    const { first, last, event } = row
    if (first === null) return []
    if (event === null) return null
    if (last !== end) {
      if (end !== null && position !== end) return null
      position = first - 1
      end = last
    }
    position += 1
    if (position > after) events.push(placed(row, { name: event, position, now }))
  }
  return end === null || position === end ? events : null
}

function placed(
  { epoch, payload, trace, ageMillis }: EventRow,
  { name, position, now }: { name: string; position: number; now: number },
): LoggedEvent {
  const traceparent = trace ?? undefined
  return { epoch, position, name, json: payload, traceparent, emittedAt: now - ageMillis }
}
