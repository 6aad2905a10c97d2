/**
 * Short-lived state that instances share. Keys, values and messages are text, lives are in milliseconds.
 * When it cannot be reached, everything but `isUp` and `close` rejects with a `ServiceUnavailableError` within a second.
 */
export interface Cache {
  /** False for the memory of one process. */
  readonly shared: boolean
  get(key: string): Promise<string | null>
  set(key: string, value: string, ttlMillis: number): Promise<void>
  /** True for the one caller that stored the value. */
  setIfAbsent(key: string, value: string, ttlMillis: number): Promise<boolean>
  /**
   * Stores a key for something that must be accepted only once, such as the id of a request. A cache that has lost its
   * contents is born again: it reports that it does not know what was stored before, and stores nothing.
   */
  spend(key: string, given: Spendable): Promise<Spending>
  /** Reads and deletes in one step, so that of racing callers one gets the value. */
  take(key: string): Promise<string | null>
  /** Counts up from 0. The life begins with the first count. */
  increment(key: string, ttlMillis: number): Promise<number>
  delete(key: string): Promise<void>
  /**
   * The number of subscribers that the message reached, as far as it is known: see
   * `countsEveryInstance`.
   */
  publish(channel: string, message: string): Promise<number>
  /** Whether `publish` knows the subscribers of all instances. PostgreSQL knows those of this process. */
  readonly countsEveryInstance: boolean
  /**
   * Resolves when messages arrive. The function that it returns ends the subscription. After an
   * outage it goes on, with a gap.
   */
  subscribe(channel: string, handler: (message: string) => void): Promise<() => Promise<void>>
  /** False while messages that are published now would not arrive here. */
  readonly isListening: boolean
  /**
   * Calls the handler after each outage in which messages may have been lost, once messages arrive
   * and can be published again. The memory of one process never calls it. The function that it
   * returns removes the handler.
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

/** Redis must accept the life, even if it has ended before it is written. */
export function wholeMillis(ttlMillis: number) {
  return Math.max(1, Math.ceil(ttlMillis))
}
