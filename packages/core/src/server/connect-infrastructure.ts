import type { Cache } from '../cache/cache.ts'
import { connectCache } from '../cache/server.ts'
import { type Clock, systemClock, watchClock } from '../clock/clock.ts'
import type { Database, StaleReads } from '../database/server.ts'
import {
  bringUpToDate,
  cacheUrl,
  databaseUrl,
  migrationSources,
  type ServerDefinition,
} from '../definition/definition.ts'
import { connectionCount, type ServerEnv } from '../definition/env.ts'
import { declaredEnv, type EnvironmentSource } from '../env/env.ts'
import {
  BodiesUnderWay,
  type Infrastructure,
  type RunningStreams,
} from '../infrastructure/infrastructure.ts'
import { LimitHits, openLimits } from '../limits/limits.ts'
import type { Log, Metrics, Observer } from '../observation/observation.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

/** Takes functions to close things, last opened first, even if a later step fails. */
export type CloseLater = (close: () => Promise<void>) => void

interface Given {
  source: EnvironmentSource
  env: ServerEnv
  log: Log
  clock?: Clock | undefined
  streams: RunningStreams
  ownOrigins: ReadonlySet<string>
  stopping: AbortSignal
  telemetry: Telemetry | undefined
  closeLater: CloseLater
}

/** Connects and migrates the database, then connects the cache. */
export async function connectInfrastructure(
  definition: ServerDefinition,
  {
    source,
    env,
    log,
    clock = systemClock,
    streams,
    ownOrigins,
    telemetry,
    stopping,
    closeLater,
  }: Given,
): Promise<Infrastructure> {
  const { observer, metrics } = telemetry ?? {}
  const { database: tables, limits, env: readers, origins: listedOrigins } = definition.settings
  const { schema } = tables
  const url = databaseUrl(definition, env)
  const opening = { env, log, observer, schema, handlerMillis: limits.handlerMillis }
  const database = await openDatabase(url, opening)
  if (database) closeLater(() => database.close())
  const staleReads = database && (await openStaleReads(database, opening))
  if (staleReads) closeLater(() => staleReads.close())
  const sources = migrationSources(definition)
  const migrations = database && (await bringUpToDate(database, sources, { env, log }))
  const cacheAddress = cacheUrl(definition, env)
  if (cacheAddress === 'postgres:') await database?.requireSessions(cacheNeed(env))
  const connected = await connectCache(cacheAddress, { log, database })
  closeLater(() => connected.close())
  const cache = await counted(connected, metrics)
  const isOn = env.SVC_RATE_LIMIT
  if (database) {
    const { watchUnsharedStreams } = await import('./unshared-streams.ts')
    closeLater(await watchUnsharedStreams(definition, { database, cache, log }))
  }
  const clockWatch = database && !clock.isVirtual && watchClock({ clock, database, log })
  if (clockWatch) await clockWatch()
  const limitHits = new LimitHits(clock)
  return {
    ...(database && { database }),
    ...(staleReads && { staleReads }),
    ...(migrations && { migrations }),
    cache,
    limits: await openLimits({ database, cache, clock, hits: limitHits, isOn }),
    limitHits,
    clock,
    ...(clockWatch && { clockWatch }),
    log,
    source,
    env: declaredEnv(readers, source),
    streams,
    ...(observer && { observer }),
    ...(metrics && { metrics }),
    ownOrigins,
    listedOrigins,
    trustedProxyHops: env.SVC_TRUSTED_PROXY_HOPS,
    bodyLimitBytes: limits.bodyBytes,
    bodies: new BodiesUnderWay(limits.bodiesBytes),
    spooled: new BodiesUnderWay(limits.spooledBytes),
    handlerLimitMillis: limits.handlerMillis,
    stopping,
  }
}

const cacheNeed = ({ CACHE_URL }: ServerEnv) =>
  CACHE_URL ? 'CACHE_URL=postgres: and its messages' : 'Several processes without a CACHE_URL'

interface Opening extends Pick<Given, 'env' | 'log'> {
  observer: Observer | undefined
  schema: Record<string, unknown> | undefined
  handlerMillis: number
}

async function openDatabase(
  url: string | undefined,
  { env, log, observer, schema, handlerMillis }: Opening,
): Promise<Database | undefined> {
  if (!url) return undefined
  // Loaded only if there is one: a server without a database starts in half the time.
  const { connectDatabase } = await import('../database/server.ts')
  const maxConnections = connectionCount(env)
  return connectDatabase(url, {
    log,
    maxConnections,
    handlerMillis,
    ...(env.DATABASE_URL_DIRECT && { directUrl: env.DATABASE_URL_DIRECT }),
    ...(observer && { observer }),
    ...(schema && { schema }),
  })
}

async function openStaleReads(
  database: Database,
  { env, log, observer, schema, handlerMillis }: Opening,
): Promise<StaleReads> {
  const { connectStaleReads } = await import('../database/server.ts')
  return connectStaleReads({
    database,
    url: env.DATABASE_URL_REPLICA,
    mostMillis: env.SVC_DATABASE_REPLICA_LAG,
    maxConnections: connectionCount(env),
    log,
    observer,
    schema,
    handlerMillis,
  })
}

async function counted(cache: Cache, metrics: Metrics | undefined): Promise<Cache> {
  if (!metrics) return cache
  const { observedCache } = await import('../telemetry/server.ts')
  return observedCache(cache, metrics)
}
