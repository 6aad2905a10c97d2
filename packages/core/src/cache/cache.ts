/**
 * Short-lived state that instances share. Keys, values and messages are text, lives are in milliseconds.
 * When it cannot be reached, everything but `isUp` and `close` rejects with a `ServiceUnavailableError` within a second.
 */
export interface Cache {
  /** False for the memory of one process. */
  readonly shared: boolean
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMillis: number): Promise<void>
  /** True for the one caller that put it there. */
  setIfAbsent(key: string, value: string, ttlMillis: number): Promise<boolean>
  /**
   * Stores a key for something that must be accepted only once, such as the id of a request. A cache that has lost its
   * contents is born again: it reports that it does not know what was stored before, and stores nothing.
   */
  spend(key: string, given: Spendable): Promise<Spending>
  /** Reads and deletes in one step, so that of racing callers one gets the value. */
  take(key: string): Promise<string | null>
  /** Counts up from 0; the life starts at the first count. */
  increment(key: string, ttlMillis: number): Promise<number>
  delete(key: string): Promise<void>
  /** The number of subscribers that the message reached, as far as `countsEveryInstance` says. */
  publish(channel: string, message: string): Promise<number>
  /** Whether `publish` knows the subscribers of all instances. PostgreSQL knows those of this process. */
  readonly countsEveryInstance: boolean
  /** Resolves when messages arrive, and ends them through the function it answers. Outages are bridged, with a gap. */
  subscribe(channel: string, handler: (message: string) => void): Promise<() => Promise<void>>
  /** False while messages published now would not arrive here. */
  readonly isListening: boolean
  /**
   * Calls the handler after each outage in which messages may not have arrived here: when they do again, and can be
   * published. The memory of one process never calls it. The function that it answers ends that.
   */
  onInterruption(handler: () => void): () => void
  isUp(): Promise<boolean>
  close(): Promise<void>
}

export interface Spendable {
  /** The earliest time, by the cache's clock, at which the key can have been spent. */
  readonly sinceMillis: number
  readonly ttlMillis: number
}

export interface Spending {
  /** `first` for the first caller, then `again`; `unknown` if the cache was born after `sinceMillis`. */
  readonly outcome: 'first' | 'again' | 'unknown'
  /** Since when the cache has lost nothing, and its time now, both by its own clock. */
  readonly bornAtMillis: number
  readonly nowMillis: number
}

/** A life that is over before it is written still has to be one that Redis accepts. */
export function wholeMillis(ttlMillis: number) {
  return Math.max(1, Math.ceil(ttlMillis))
}
