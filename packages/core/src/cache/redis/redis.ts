import type { Redis } from 'ioredis'
import { ServiceUnavailableError } from '../../errors/contract.ts'
import type { Log } from '../../observation/observation.ts'
import { watchBirths } from '../births.ts'
import { type Cache, wholeMillis } from '../cache.ts'
import { Channels } from '../channels.ts'
import { Interruptions } from '../interruptions.ts'
import { type RedisAddress, readRedisAddress } from './address.ts'
import { connectionsTo } from './connection.ts'
import { explainCacheFailure } from './explain.ts'
import { listen, messagesOf } from './listener.ts'
import { openSpending } from './spending.ts'
import { checkKind, tryEverything, warnOfEviction } from './start-check.ts'
import { createWriteProbe } from './write-probe.ts'

type RedisLog = Pick<Log, 'info' | 'warn' | 'error'>

// One step, so that a counter always gets an end.
const countUp = `
  local count = redis.call('incr', KEYS[1])
  if count == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
  return count`

/** Redis from 6.2, or Valkey: one connection for commands and one that listens, both to the primary. */
export async function connectRedis(url: string, log: RedisLog): Promise<Cache> {
  const address = readRedisAddress(url)
  const connections = connectionsTo(address, log)
  try {
    const [redis, listening] = [await connections.open(), await connections.open()]
    const cache = cacheOn(redis, listening, { address, log, close: () => connections.close() })
    await checkKind(redis, address)
    await tryEverything(cache)
    await warnOfEviction(redis, log)
    return cache
  } catch (error) {
    connections.close()
    const cause = error instanceof ServiceUnavailableError ? error.cause : error
    throw explainCacheFailure(cause, address)
  }
}

interface Given {
  address: RedisAddress
  log: RedisLog
  close: () => void
}

function cacheOn(redis: Redis, listening: Redis, { address, log, close }: Given): Cache {
  const { prefix } = address
  const interruptions = new Interruptions(log)
  const channels = new Channels(log)
  const onBack = whenUp(redis, () => listener.isListening && interruptions.tell())
  const listener = listen(listening, { channels, address, onBack })
  const messages = messagesOf(address)
  const gather = gathering(redis)
  const spend = openSpending(redis, { prefix, onBorn: watchBirths(log) })

  return {
    shared: true,
    countsEveryInstance: true,
    get: (key) => answer(redis.get(prefix + key)),
    async set(key, value, ttlMillis) {
      await answer(redis.set(prefix + key, value, 'PX', wholeMillis(ttlMillis)))
    },
    async setIfAbsent(key, value, ttlMillis) {
      const set = redis.set(prefix + key, value, 'PX', wholeMillis(ttlMillis), 'NX')
      return (await answer(set)) === 'OK'
    },
    spend: (key, given) => answer(spend(key, given)),
    take: (key) => answer(redis.getdel(prefix + key)),
    async increment(key, ttlMillis) {
      return Number(await answer(redis.eval(countUp, 1, prefix + key, wholeMillis(ttlMillis))))
    },
    async delete(key) {
      await answer(redis.del(prefix + key))
    },
    publish(channel, message) {
      gather()
      return answer(messages.publish(redis, prefix + channel, message))
    },
    subscribe: (channel, handler) => answer(listener.subscribe(channel, handler)),
    get isListening() {
      return listener.isListening
    },
    onInterruption: (handler) => interruptions.add(handler),
    isUp: createWriteProbe(redis, { prefix, log }),
    close: async () => close(),
  }
}

/** Every failure of the client or the server becomes a 503: the cache can't be used right now. */
async function answer<T>(command: Promise<T>): Promise<T> {
  try {
    return await command
  } catch (cause) {
    throw new ServiceUnavailableError({ cause })
  }
}

/**
 * All that is sent in one turn goes out in one write: a system call costs more than all the rest of
 * a message.
 */
function gathering(redis: Redis) {
  let isGathering = false
  return () => {
    if (isGathering) return
    isGathering = true
    const { stream } = redis
    stream.cork()
    process.nextTick(() => {
      isGathering = false
      stream.uncork()
    })
  }
}

/** If two connections were lost, either may be back first. */
function whenUp(redis: Redis, run: () => void) {
  let isWaiting = false
  const runOnce = () => {
    if (!isWaiting || redis.status !== 'ready') return
    isWaiting = false
    run()
  }
  redis.on('ready', runOnce)
  return () => {
    isWaiting = true
    runOnce()
  }
}
