import type { Redis } from 'ioredis'
import type { Log } from '../observation/observation.ts'

/** With a memory limit, most policies evict ids of spent requests, which are then accepted again. */
export async function warnOfEviction(redis: Redis, log: Pick<Log, 'warn'>) {
  // Some providers' servers do not answer this. Their documentation has to say it.
  const text = await redis.info().catch(() => '')
  const valueOf = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(text)?.[1]
  const policy = valueOf('maxmemory_policy') ?? 'noeviction'
  const isBounded = Number(valueOf('maxmemory') ?? 0) > 0
  if (!isBounded || policy === 'noeviction') return
  log.warn(
    { policy },
    'the cache may evict ids of spent requests, which are then accepted again: set maxmemory-policy to noeviction',
  )
}
