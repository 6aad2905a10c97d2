import type { Plan } from './connection.ts'
import type { Source } from './source.ts'
import type { StreamPlace } from './stream-url.ts'

/** What both kinds of clients take. */
export interface StreamClientOptions extends StreamPlace {
  /** Connects again when the connection drops. True unless set. */
  reconnect?: boolean
  /** Before the first attempt, in milliseconds; it doubles up to 30 s. 3000 unless set. */
  reconnectDelay?: number
  /** How many attempts in a row may fail. 0, which is any number, unless set. */
  maxReconnectAttempts?: number
  /** Mints a one-time token before each attempt. */
  acquireToken?: () => Promise<string>
}

/** How a client connects. What it asks for is not known yet. */
export function planOf(options: StreamClientOptions, source: Source): Omit<Plan, 'events'> {
  const { reconnect = true, reconnectDelay = 3000, maxReconnectAttempts = 0 } = options
  const { acquireToken } = options
  return { source, reconnect, reconnectDelay, maxReconnectAttempts, acquireToken }
}
