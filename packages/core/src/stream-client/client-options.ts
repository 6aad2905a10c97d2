import type { Plan } from './connection.ts'
import type { Source } from './source.ts'
import type { StreamPlace } from './stream-url.ts'

/** The options of both kinds of clients. */
export interface StreamClientOptions extends StreamPlace {
  /** Reconnects when the connection drops. True unless set. */
  reconnect?: boolean
  /**
   * The pause before the first attempt, in milliseconds; it doubles up to 30 s. 3000 unless set.
   */
  reconnectDelay?: number
  /** How many attempts in a row may fail. 0 means any number, and is the default. */
  maxReconnectAttempts?: number
  /** Gets a one-time token before each attempt. */
  acquireToken?: () => Promise<string>
}

/** How a client connects. The events are not known yet. */
export function planOf(options: StreamClientOptions, source: Source): Omit<Plan, 'events'> {
  const { reconnect = true, reconnectDelay = 3000, maxReconnectAttempts = 0 } = options
  const { acquireToken } = options
  return { source, reconnect, reconnectDelay, maxReconnectAttempts, acquireToken }
}
