import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import type { Cache } from './cache.ts'
import { connectCache } from './server.ts'
import { redisProgram, startTestRedis, type TestRedis } from './test-redis.ts'

export const reason = redisProgram ? '' : ' (no redis-server on PATH)'
export const minute = 60_000

/** A Redis of its own for each test, which may end it. */
export function useOutage() {
  let server: TestRedis
  let cache: Cache
  let lines: string[]

  beforeEach(async () => {
    lines = []
    const log = createLogger({ destination: { write: (line) => lines.push(line) } })
    server = await startTestRedis()
    cache = await connectCache(server.url, { log })
  })
  afterEach(async () => {
    await cache.close()
    server.resume()
    await server.stop()
  })

  /** Everything a caller may ask for, at once; answers how long the slowest refusal took. */
  async function refusals() {
    const began = performance.now()
    const asked = await Promise.allSettled([
      cache.get('key'),
      cache.set('key', 'value', minute),
      cache.setIfAbsent('key', 'value', minute),
      cache.spend('key', { sinceMillis: Date.now(), ttlMillis: minute }),
      cache.take('key'),
      cache.increment('key', minute),
      cache.delete('key'),
      cache.publish('news', 'message'),
      cache.subscribe('more', () => {}),
    ])
    for (const each of asked) {
      expect(each).toMatchObject({
        status: 'rejected',
        reason: { name: 'ServiceUnavailableError' },
      })
    }
    expect(await cache.isUp()).toBe(false)
    return performance.now() - began
  }

  const back = () => vi.waitFor(async () => expect(await cache.isUp()).toBe(true), 5000)

  /** Publishes until one arrives: the listening connection may come back after the other. */
  function hears(got: string[]) {
    return vi.waitFor(async () => {
      await cache.publish('news', 'again')
      expect(got).toContain('again')
    }, 5000)
  }
  return {
    get server() {
      return server
    },
    get cache() {
      return cache
    },
    get lines() {
      return lines
    },
    refusals,
    back,
    hears,
  }
}
