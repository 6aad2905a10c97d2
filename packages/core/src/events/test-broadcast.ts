import { Type as t } from 'typebox'
import { afterEach, beforeEach } from 'vitest'
import type { Cache } from '../cache/cache.ts'
import { connectCache } from '../cache/server.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { createLogger } from '../observation/logger.ts'
import { connectEvents } from './connect-events.ts'
import { defineEvent } from './event.ts'
import type { EventCache } from './event-cache.ts'

/** What a title ends with where these tests cannot run. */
export const noRedis = redisProgram ? '' : ' (no redis-server on PATH)'

/** A Redis for each test, where there is one, and two instances: the events of one name on two connections. */
export function useTestBroadcast() {
  let redis: TestRedis
  let caches: Cache[]
  let lines: Record<string, unknown>[]
  let connection: ReturnType<typeof connectEvents>

  beforeEach(async () => {
    lines = []
    caches = []
    const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })
    connection = connectEvents({ log })
    if (redisProgram) redis = await startTestRedis()
  })
  afterEach(async () => {
    await connection.close()
    if (redisProgram) redis.resume()
    for (const cache of caches) await cache.close()
    if (redisProgram) await redis.stop()
  })

  const log = createLogger({ level: 'silent' })
  async function connect() {
    const cache = await connectCache(redis.url, { log })
    caches.push(cache)
    return cache
  }

  return {
    connect,
    get redis() {
      return redis
    },
    get lines() {
      return lines
    },
    /** How often something was logged. */
    said: (text: string) => lines.filter(({ msg }) => String(msg).includes(text)).length,
    /** An instance's own value of the event, and the numbers that its handler got. */
    async instance(cache?: EventCache) {
      const event = defineEvent('counted', t.Object({ at: t.Number() }))
      const got: number[] = []
      event.subscribe(({ at }) => got.push(at))
      await event.useCache(cache ?? (await connect()))
      return { event, got }
    },
  }
}

export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)
