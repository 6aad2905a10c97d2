import { connectCache } from '../cache/connect-cache.ts'
import type { Database } from '../database/connect.ts'
import type { EnvironmentSource } from '../env/define-env.ts'
import { type Clock, systemClock } from '../infrastructure/clock.ts'
import type { Infrastructure, RevocableStreams } from '../infrastructure/infrastructure.ts'
import type { Log } from '../infrastructure/logger.ts'
import { databaseUrl } from './database-url.ts'
import { migrationSources, type ServerDefinition } from './define-server.ts'
import type { ServerEnv } from './env.ts'
import { bringUpToDate } from './pending-migrations.ts'

/** Takes what is to be closed, last opened first, also when a later step fails. */
export type CloseLater = (close: () => Promise<void>) => void

interface Given {
  source: EnvironmentSource
  env: ServerEnv
  log: Log
  clock?: Clock | undefined
  streams: RevocableStreams
  ownOrigins: ReadonlySet<string>
  closeLater: CloseLater
}

/** Connects and migrates the database, then connects the cache. */
export async function connectInfrastructure(
  definition: ServerDefinition,
  { source, env, log, clock = systemClock, streams, ownOrigins, closeLater }: Given,
): Promise<Infrastructure> {
  const database = await openDatabase(databaseUrl(definition, env), { env, log })
  if (database) closeLater(() => database.close())
  const sources = migrationSources(definition)
  const migrations = database && (await bringUpToDate(database, sources, { env, log }))
  const cache = await connectCache(env.CACHE_URL, { log, database })
  closeLater(() => cache.close())
  if (database) {
    const { watchUnsharedStreams } = await import('./unshared-streams.ts')
    closeLater(await watchUnsharedStreams(definition, { database, cache, log }))
  }
  const { limits } = definition.settings
  return {
    ...(database && { database }),
    ...(migrations && { migrations }),
    cache,
    clock,
    log,
    source,
    streams,
    ownOrigins,
    trustedProxyHops: env.SVC_TRUSTED_PROXY_HOPS,
    bodyLimitBytes: limits.bodyBytes,
    handlerLimitMillis: limits.handlerMillis,
  }
}

async function openDatabase(
  url: string | undefined,
  { env, log }: { env: ServerEnv; log: Log },
): Promise<Database | undefined> {
  if (!url) return undefined
  // Loaded only when there is one: a server without a database is up in half the time.
  const { connectDatabase } = await import('../database/connect.ts')
  return connectDatabase(url, { log, maxConnections: env.SVC_DATABASE_CONNECTIONS })
}
