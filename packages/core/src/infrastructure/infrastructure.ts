import type { Cache } from '../cache/cache.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from './clock.ts'
import type { Log } from './logger.ts'

export interface MigrationCount {
  readonly applied: number
  readonly pending: number
}

/** What a running server stands on. A part that is not configured is absent. */
export interface Infrastructure {
  readonly database?: Database
  /** How the database stood when the server started. */
  readonly migrations?: MigrationCount
  readonly cache: Cache
  readonly clock: Clock
  readonly log: Log
  /** The origins under which clients reach this server: what a signed request may name as its audience. */
  readonly ownOrigins: ReadonlySet<string>
  readonly trustedProxyHops: number
  readonly bodyLimitBytes: number
  readonly handlerLimitMillis: number
}
