import type { Cache } from '../cache/cache.ts'
import type { Clock } from '../clock/clock.ts'
import type { ClockWatch } from '../clock/clock-watch.ts'
import type { Database } from '../database/server.ts'
import type { DeclaredEnv } from '../env/declared-env.ts'
import type { EnvironmentSource } from '../env/define-env.ts'
import type { Log } from '../observation/logger.ts'
import type { Metrics } from '../observation/metrics.ts'
import type { Observer } from '../observation/observer.ts'
import type { BodiesUnderWay } from './bodies-under-way.ts'

export interface MigrationCount {
  readonly applied: number
  readonly pending: number
}

/** The streams that were opened for somebody: whoever takes rights away ends them here. */
export interface RevocableStreams {
  readonly size: number
  /** Ends the streams that these credentials opened; without a list, all of the account's. */
  end(owner: string, credentials?: readonly string[]): void
  /** Asks again what the account's streams may have. */
  reauthorize(owner: string): void
  /** Looks at every credential now, where nobody can say whose rights have changed. */
  recheck(): void
}

/** What a running server stands on. A part that is not configured is absent. */
export interface Infrastructure {
  readonly database?: Database
  /** How the database stood when the server started. */
  readonly migrations?: MigrationCount
  readonly cache: Cache
  readonly clock: Clock
  /** @internal Set if the clock is not a test's and there is a database to compare it with. */
  readonly clockWatch?: ClockWatch
  readonly log: Log
  /** The variables that the server was started with, for a package whose routes depend on its own. */
  readonly source: EnvironmentSource
  /** The application's variables, by the reader that `.env(reader)` was given. */
  readonly env: DeclaredEnv
  readonly streams: RevocableStreams
  /** Where metrics are on: what is declared here is shown with the server's own. */
  readonly metrics?: Metrics
  /** @internal Where traces or metrics are on. */
  readonly observer?: Observer
  /** The origins under which clients reach this server: what a signed request may name as its audience. */
  readonly ownOrigins: ReadonlySet<string>
  /** The other origins that the application has listed: their pages may call this server. */
  readonly listedOrigins: readonly string[]
  readonly trustedProxyHops: number
  readonly bodyLimitBytes: number
  /** @internal The bytes of bodies that this process holds. */
  readonly bodies: BodiesUnderWay
  /** @internal The bytes of bodies that lie in temporary files. */
  readonly spooled: BodiesUnderWay
  readonly handlerLimitMillis: number
}
