/** The orders that a test can give to an instance. Each gets one answer. */
export interface Orders {
  emit: {
    asked: { count: number; everyMillis?: number; length?: number }
    /** How long each emission took. */
    answer: number[]
  }
  /** Begins to watch the event loop. */
  watch: { asked: undefined; answer: null }
  /** The longest block since then, and the longest work of the process itself in one. */
  watched: { asked: undefined; answer: Watched }
  /** Stops the server, but not the process, so that it can tell how that went. */
  stop: { asked: undefined; answer: Watched }
  facts: { asked: undefined; answer: { streams: number; megabytes: number } }
  /** Revokes a key, and tells the other instances. */
  revoke: { asked: { user: string; key: string }; answer: null }
}

interface Watched {
  longestMillis: number
  workMillis: number
}

export type OrderName = keyof Orders

export interface SentOrder {
  id: number
  name: OrderName
  asked: unknown
}

/** The options of an instance, as its first argument. */
export interface InstanceOptions {
  pingInterval?: number
  maxAge?: number
  maxQueue?: number
  /** How long it reports that it stops before it does. */
  farewellMillis?: number
  /** Has a channel that tells who follows it, in a router with a history or without one. */
  rooms?: 'log' | 'cache'
  /**
   * The file with the revoked keys, one per line: instances have it instead of a database of users.
   */
  revokedFile?: string
}
