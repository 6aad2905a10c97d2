import type { MigrationSource } from '../database/database.ts'
import type { DatabaseAddress } from '../database/server.ts'
import type { Log } from '../observation/observation.ts'
import type { Cache } from './cache.ts'
import { CacheConnectionError } from './connection-error.ts'
import { createMemoryCache } from './memory.ts'

interface Given {
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** The application's own, for `postgres:`. */
  database?: DatabaseAddress | undefined
}

/**
 * Opens `redis://…` or `rediss://…`, Redis or Valkey, or `postgres:`, the application's own database. Without an
 * address, the memory of this process.
 */
export async function connectCache(
  url: string | undefined,
  { log, database }: Given,
): Promise<Cache> {
  if (!url) return createMemoryCache({ log })
  if (/^postgres(ql)?:/.test(url)) {
    const address = ownDatabase(url, database)
    const { connectPostgresCache } = await import('./postgres.ts')
    return connectPostgresCache(address, log)
  }
  // Loaded only when there is one: the client costs a tenth of a second.
  const { connectRedis } = await import('./redis/redis.ts')
  return connectRedis(url, log)
}

/** The message leaves the address out: it may contain a password. */
function ownDatabase(url: string, database: Given['database']) {
  if (url !== 'postgres:') {
    throw new CacheConnectionError(
      'CACHE_URL cannot name a database: write postgres: only, which uses the database of DATABASE_URL.',
    )
  }
  if (database) return database.directUrl ?? database.url
  throw new CacheConnectionError(
    "CACHE_URL=postgres: is the application's own database, and it has none: set DATABASE_URL.",
  )
}

/**
 * The cache's tables in the database. They exist wherever there is a database, so that CACHE_URL
 * can change at any time.
 */
export const coreMigrations: MigrationSource = {
  name: 'svc-core',
  directory: new URL('../../migrations', import.meta.url),
}
