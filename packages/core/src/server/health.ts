import { Type as t } from 'typebox'
import type { ClockComparison } from '../clock/clock.ts'
import type { HealthCheckOptions } from '../definition/definition.ts'
import { GoneError } from '../errors/contract.ts'
import type { Infrastructure, MigrationCount } from '../infrastructure/infrastructure.ts'
import { defineRouter, type Routes, route } from '../routes/contract.ts'
import { coreTime, type HandlerContext } from '../routes/routes.ts'
import type { OutputOf } from '../schema/schema.ts'

/** The state that the server reports while it starts and stops. */
export interface ServerState {
  shuttingDown: boolean
}

const Service = t.Union([
  t.Literal('up'),
  t.Literal('down'),
  t.Literal('read_only'),
  t.Literal('behind'),
])
type Service = OutputOf<typeof Service>

const timestamp = t.String({ format: 'date-time' })
const Health = t.Object({
  status: t.Union([t.Literal('ok'), t.Literal('degraded'), t.Literal('shutting_down')]),
  timestamp,
  services: t.Optional(t.Record(t.String(), Service)),
  clock: t.Optional(
    t.Object({
      state: t.Union([t.Literal('right'), t.Literal('apart'), t.Literal('off')]),
      aheadMillis: t.Integer(),
    }),
  ),
  migrations: t.Optional(t.Object({ applied: t.Integer(), pending: t.Integer() })),
})

const healthOn = (path: string) =>
  route
    .get(path)
    .answer(Health, 200, 503)
    .describe({ summary: 'Whether the server is up, and what it stands on.' })

/** The framework's own operations. Every application has them. */
export function coreRoutes(state: ServerState, options: HealthCheckOptions) {
  const health = healthHandler(state, options)
  return defineRouter(
    {
      coreHealth: healthOn('/_core/health').handler(health),
      coreLive: route
        .get('/_core/health/live')
        .answer(t.Object({ status: t.Literal('ok'), timestamp }))
        .describe({ summary: 'Whether the process answers.' })
        .handler((c) => ({ status: 'ok', timestamp: c.clock.now().toISOString() })),
      coreReady: healthOn('/_core/health/ready').handler(health),
      coreTime,
    },
    { owns: '/_core/' },
  )
}

/** The configured path, or the hint on `/health`, or nothing. */
export function healthPathRoutes(state: ServerState, options: HealthCheckOptions) {
  if (options.enabled === false) return defineRouter({})
  const routes: Routes = {}
  if (options.path && options.path !== '/_core/health') {
    routes.coreHealthPath = healthOn(options.path).handler(healthHandler(state, options))
  }
  if (options.path !== '/health') routes.coreHealthMoved = signpost()
  return defineRouter(routes)
}

/** This is the release after the move from `/health`. The next one removes this route. */
function signpost() {
  let warned = false
  return route
    .get('/health')
    .answer(t.Undefined(), 410)
    .errors(GoneError)
    .describe({ summary: 'Says that health has moved to `/_core/health`.' })
    .handler((c) => {
      if (!warned) {
        c.log.warn(
          'GET /health has moved. Point probes at /_core/health, or restore the old path with healthCheck({ path: "/health" }).',
        )
      }
      warned = true
      throw new GoneError({
        message: 'Health has moved to /_core/health.',
        movedTo: '/_core/health',
      })
    })
}

function healthHandler(state: ServerState, { detailed }: HealthCheckOptions) {
  const probe = probeOnce()
  return async (c: HandlerContext) => {
    c.raw.header('cache-control', 'no-store')
    const found = healthFrom(c.raw.server, await probe(c.raw.server))
    const { status: own, ...details } = found
    const status: OutputOf<typeof Health>['status'] = state.shuttingDown ? 'shutting_down' : own
    const body = { status, timestamp: c.clock.now().toISOString(), ...(detailed && details) }
    return c.json(body, status === 'ok' ? 200 : 503)
  }
}

/** Whether a server is well, and what it stands on: the details of `/_core/health`. */
export interface ServerHealth {
  readonly status: 'ok' | 'degraded'
  readonly services: Readonly<Record<string, Service>>
  readonly clock?: ClockComparison
  readonly migrations?: MigrationCount
}

/**
 * Asks the database, the cache and all else that the server needs how they are: the details of
 * `/_core/health`.
 *
 * @internal
 */
export async function readHealth(server: Infrastructure): Promise<ServerHealth> {
  return healthFrom(server, await askServices(server))
}

function healthFrom(
  { migrations, staleReads }: Infrastructure,
  { services, clock }: Probed,
): ServerHealth {
  // Replay protection needs clocks that are not far apart.
  const isWhole = Object.values(services).every((each) => each === 'up')
  // No route depends on it: the primary is read instead.
  const replica = staleReads?.replica()
  return {
    status: !isWhole || clock?.state === 'off' ? 'degraded' : 'ok',
    services: { ...services, ...(replica && { replica }) },
    ...(clock && { clock }),
    ...(migrations && { migrations }),
  }
}

// Health is public, so a thousand requests must not cause a thousand queries.
const memoryMillis = 500

interface Probed {
  services: Record<string, Service>
  clock: ClockComparison | null
}

function probeOnce() {
  let asked = { at: -Infinity, answer: Promise.resolve<Probed>({ services: {}, clock: null }) }
  return (server: Infrastructure) => {
    const now = performance.now()
    if (now - asked.at > memoryMillis) asked = { at: now, answer: askServices(server) }
    return asked.answer
  }
}

async function askServices({ database, cache, clockWatch }: Infrastructure): Promise<Probed> {
  const [ofDatabase, cacheUp, clock] = await Promise.all([
    database?.health(),
    cache.shared ? cache.isUp() : undefined,
    clockWatch?.() ?? null,
  ])
  const services: Record<string, Service> = {
    ...(ofDatabase && { database: ofDatabase }),
    ...(cacheUp !== undefined && { cache: cacheUp ? 'up' : 'down' }),
  }
  return { services, clock }
}
