import type { Redis } from 'ioredis'
import type { Log } from '../../observation/observation.ts'
import type { Cache } from '../cache.ts'
import type { RedisAddress } from './address.ts'
import { readInfo } from './reply.ts'

const key = 'svc:start'
const lifeMillis = 1000

/** If it is another kind of server than the address says, it would refuse some or all commands. */
export async function checkKind(redis: Redis, { kind }: Pick<RedisAddress, 'kind'>) {
  // Only INFO shows that another server took over, which lacks the latest ids.
  if (kind !== 'server') await redis.info()
  const valueOf = await readInfo(redis)
  // Valkey has another name for it.
  const mode = valueOf('redis_mode') ?? valueOf('server_mode')
  if (mode === 'sentinel') throw new Error('SENTINEL mode is on')
  if (valueOf('cluster_enabled') === '1' && kind !== 'cluster')
    throw new Error('CLUSTER mode is on')
}

/**
 * Tries every command that the cache uses, all at once. Otherwise a request would be the first to
 * find that the server is full or read-only, or that the user may not use a command. It also leaves
 * the mark of the cache's birth.
 */
export async function tryEverything(cache: Cache) {
  await Promise.all([
    cache.set(key, '1', lifeMillis),
    cache.setIfAbsent(key, '1', lifeMillis),
    cache.get(key),
    cache.take(key),
    cache.increment(key, lifeMillis),
    cache.delete(key),
    // The first time by EVAL, and then by EVALSHA.
    cache.spend(key, { sinceMillis: 0, ttlMillis: 1 }),
    cache.spend(key, { sinceMillis: 0, ttlMillis: 1 }),
    tryMessages(cache),
  ])
}

async function tryMessages(cache: Cache) {
  const leave = await cache.subscribe(key, () => {})
  await cache.publish(key, '')
  await leave()
}

/**
 * With a memory limit, most policies evict ids of spent requests. Those requests are then accepted
 * again.
 */
export async function warnOfEviction(redis: Redis, log: Pick<Log, 'warn'>) {
  const valueOf = await readInfo(redis)
  const policy = valueOf('maxmemory_policy') ?? 'noeviction'
  const isBounded = Number(valueOf('maxmemory') ?? 0) > 0
  if (!isBounded || policy === 'noeviction') return
  log.warn(
    { policy },
    'the cache may evict ids of spent requests, which are then accepted again: set maxmemory-policy to noeviction',
  )
}
