import type { Redis } from 'ioredis'
import type { Log } from '../infrastructure/logger.ts'

/** Under a limit of memory, most policies push out ids of spent requests, which are then good once more. */
export async function warnOfEviction(redis: Redis, log: Pick<Log, 'warn'>) {
  // A server that does not tell, as some providers' do, is judged by its documents.
  const text = await redis.info().catch(() => '')
  const valueOf = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]
  const policy = valueOf('maxmemory_policy') ?? 'noeviction'
  const isBounded = Number(valueOf('maxmemory') ?? 0) > 0
  if (!isBounded || policy === 'noeviction') return
  log.warn(
    { policy },
    'the cache may push out what it must keep, so that a request that was spent is good once more: set maxmemory-policy to noeviction',
  )
}
