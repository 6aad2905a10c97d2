import type { Log } from '../infrastructure/logger.ts'
import type { Cache } from './cache.ts'
import { createMemoryCache } from './memory.ts'

/** Opens `redis://…` or `rediss://…`, Redis or Valkey. Without an address, the memory of this process. */
export async function connectCache(
  url: string | undefined,
  { log }: { log: Pick<Log, 'info' | 'warn' | 'error'> },
): Promise<Cache> {
  if (!url) return createMemoryCache({ log })
  // Loaded only when there is one: the client costs a tenth of a second.
  const { connectRedis } = await import('./redis.ts')
  return connectRedis(url, log)
}
