import { coreMigrations } from '../cache/server.ts'
import type { MigrationSource } from '../database/database.ts'
import type { EnvReader } from '../env/env.ts'
import type { EventMap, EventRouter, WebSocketRouter } from '../events/contract.ts'
import type { JobRouter } from '../jobs/jobs.ts'
import type { Router } from '../routes/contract.ts'
import type { Middleware } from '../routes/routes.ts'
import type { EventStreamOptions, WebSocketOptions } from '../streams/streams.ts'
import type { Lifecycle } from './lifecycle.ts'

export interface HealthCheckOptions {
  /** Health answers at this path too, as on `/_core/health`. */
  path?: `/${string}`
  /** `false` turns off the extra path and the hint on `/health`. */
  enabled?: boolean
  /** Adds services and migrations to the answer. */
  detailed?: boolean
}

export interface DatabaseOptions {
  /** The application's Drizzle tables; `svc generate` writes a migration when they change. */
  schema?: Record<string, unknown>
  /** The folder of the application's migrations. */
  migrations?: URL
}

export interface LimitOptions {
  /** The largest body that is accepted. 1 MiB unless set. */
  bodyBytes?: number
  /** How many bytes of bodies the process holds at once. 64 MiB unless set. */
  bodiesBytes?: number
  /** How many bytes of bodies are in temporary files at once. 1 GiB unless set. */
  spooledBytes?: number
  /** How long a client may take to send a request. 30 s unless set. */
  requestMillis?: number
  /** How long a handler may take to answer. 60 s unless set. */
  handlerMillis?: number
}

type Limits = Readonly<Required<LimitOptions>>

const initialLimits: Limits = {
  bodyBytes: 1_048_576,
  bodiesBytes: 67_108_864,
  spooledBytes: 1_073_741_824,
  requestMillis: 30_000,
  handlerMillis: 60_000,
}

interface Settings {
  readonly router?: Router
  readonly middlewares: readonly Middleware[]
  readonly events?: { readonly router: EventRouter; readonly options: EventStreamOptions }
  readonly websockets?: { readonly router: WebSocketRouter; readonly options: WebSocketOptions }
  readonly jobs?: JobRouter
  readonly lifecycles: readonly Lifecycle[]
  readonly env: readonly EnvReader[]
  readonly health: HealthCheckOptions
  readonly database: DatabaseOptions
  readonly limits: Limits
  readonly origins: readonly string[]
}

/** The definition of a server. Every step returns a new definition; `startServer` runs one. */
export class ServerDefinition {
  readonly settings: Settings

  constructor(settings: Settings) {
    this.settings = settings
  }

  /** Serves the routes of a router. */
  routes(router: Router) {
    return this.#with({ router })
  }

  /** Runs these around every route of the application and its packages, outside of the router's own. */
  use(middlewares: readonly Middleware[]) {
    return this.#with({ middlewares: [...this.settings.middlewares, ...middlewares] })
  }

  /** Streams these events to clients over server-sent events. */
  events<Events extends EventMap>(
    router: EventRouter<Events>,
    options: EventStreamOptions<Events> = {},
  ) {
    return this.#with({ events: { router, options } })
  }

  /**
   * Streams these events over a WebSocket, and accepts messages. `auth` is that of `.events` unless
   * set.
   */
  websockets<Events extends EventMap>(
    router: WebSocketRouter<Events>,
    options: WebSocketOptions<Events> = {},
  ) {
    return this.#with({ websockets: { router, options } })
  }

  /**
   * Variables of the application, by the reader that `defineEnv` returns. A start checks them with all others, and
   * `c.env(reader)` has them. May be called several times.
   */
  env(reader: EnvReader) {
    return this.#with({ env: [...this.settings.env, reader] })
  }

  /** What a package does when the server starts and stops. May be called several times. */
  lifecycle(lifecycle: Lifecycle) {
    return this.#with({ lifecycles: [...this.settings.lifecycles, lifecycle] })
  }

  /** The jobs, which run beside requests. */
  jobs(jobs: JobRouter) {
    return this.#with({ jobs })
  }

  /** A further path for health, and how much it says. */
  healthCheck(health: HealthCheckOptions) {
    return this.#with({ health })
  }

  /** The application's tables and migrations. */
  database(database: DatabaseOptions) {
    return this.#with({ database })
  }

  limits(limits: LimitOptions) {
    return this.#with({ limits: { ...initialLimits, ...limits } })
  }

  /** Pages of these origins may call the API from a browser without the web proxy. */
  origins(...origins: string[]) {
    return this.#with({ origins })
  }

  #with(change: Partial<Settings>) {
    return new ServerDefinition({ ...this.settings, ...change })
  }
}

/** The definition of a server, which its methods extend. It starts nothing: `runServer` does. */
export function defineServer(): ServerDefinition {
  return new ServerDefinition({
    middlewares: [],
    lifecycles: [],
    env: [],
    health: {},
    database: {},
    limits: initialLimits,
    origins: [],
  })
}

/** Every source of migrations of a database: first core's, then those of the definition. */
export function migrationSources(definition: ServerDefinition): MigrationSource[] {
  return [coreMigrations, ...namedMigrations(definition)]
}

/** Packages first: the application's tables may refer to theirs. */
export function namedMigrations({ settings }: ServerDefinition): MigrationSource[] {
  const packages = settings.lifecycles.flatMap(({ migrations }) => migrations ?? [])
  const { migrations } = settings.database
  return migrations ? [...packages, { name: 'app', directory: migrations }] : packages
}
