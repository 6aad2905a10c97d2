import { Redis, type RedisOptions } from 'ioredis'
import type { Log } from '../../observation/observation.ts'
import { explainCacheFailure } from '../connection-error.ts'
import type { RedisAddress } from './address.ts'

/** A token is refused within a second while the server is stalled, and the answer takes some of it. */
const answerMillis = 800

/** A connection that has said nothing for this long is given up: a cut cable closes no socket. */
const silenceMillis = 2000

/** After a failover the old primary may still answer, and refuses what it must not do any more. */
const outdated = /^READONLY/

/** Where every server refuses, connections are not opened for each command. */
const pauseMillis = 3000

const shared = {
  lazyConnect: true,
  connectTimeout: silenceMillis,
  commandTimeout: answerMillis,
  socketTimeout: silenceMillis,
  // A command that waits for the server's return would run after its caller was told that it failed.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  // The client would subscribe again by itself, but without catching a failure: that ends the process.
  autoResubscribe: false,
  // Spread, so that instances do not come back all at once.
  retryStrategy: (attempt: number) => Math.min(50 * 2 ** attempt, 1000) * (0.5 + Math.random() / 2),
} satisfies RedisOptions

type OutageLog = ReturnType<typeof createOutageLog>

/** Opens one connection, which then comes back after outages by itself. */
export async function openRedis(address: RedisAddress, outages: OutageLog) {
  let cause: unknown
  let leftAtMillis = -Infinity
  const redis = new Redis({
    ...optionsFor(address),
    reconnectOnError(error) {
      const now = performance.now()
      if (!outdated.test(error.message) || now - leftAtMillis < pauseMillis) return false
      leftAtMillis = now
      cause = error
      return true
    },
  })
  redis.on('error', (error) => {
    cause = error
  })
  try {
    await redis.connect()
    // A database that does not exist is only reported, and another application's would be used instead.
    if (cause) throw cause
  } catch (error) {
    redis.disconnect()
    throw explainCacheFailure(cause ?? error, address)
  }
  redis.on('ready', () => outages.ended(redis))
  redis.on('close', () => outages.began(redis, cause))
  return redis
}

function optionsFor({ host, port, username, password, db, secure }: RedisAddress) {
  return {
    ...shared,
    host,
    port,
    db,
    ...(username && { username }),
    ...(password && { password }),
    ...(secure && { tls: {} }),
  }
}

/** Says once that an outage began and once that it ended, however often connections are tried. */
export function createOutageLog(log: Pick<Log, 'info' | 'warn'>) {
  const down = new Set<Redis>()
  return {
    began(redis: Redis, cause: unknown) {
      if (down.size === 0) log.warn({ err: cause }, 'the connection to the cache is lost')
      down.add(redis)
    },
    ended(redis: Redis) {
      down.delete(redis)
      if (down.size === 0) log.info('the connection to the cache is back')
    },
  }
}
