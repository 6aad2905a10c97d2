import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import type { Cache } from './cache.ts'
import { connectCache } from './server.ts'
import { redisProgram, startTestRedis, type TestRedis } from './test-redis.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const minute = 60_000

let server: TestRedis
let cache: Cache
let lines: string[]

describe.skipIf(reason)(`while Redis is down${reason}`, () => {
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

  it('refuses everything within a second when it was killed, and is back when it is', async () => {
    await server.kill()
    expect(await refusals()).toBeLessThan(1000)
    await server.restart()
    await back()
    await cache.set('key', 'value', minute)
    expect(await cache.take('key')).toBe('value')
  })

  it('refuses everything within a second while it is stalled, and is back when it goes on', async () => {
    server.pause()
    expect(await refusals()).toBeLessThan(2000)
    const began = performance.now()
    await expect(cache.take('key')).rejects.toMatchObject({ status: 503 })
    expect(performance.now() - began).toBeLessThan(1000)
    await wait(2500)
    expect(await refusals()).toBeLessThan(2000)
    server.resume()
    await back()
  })

  it('refuses a command that was under way as soon as the connection breaks', async () => {
    server.pause()
    const taken = cache.take('key')
    const refused = expect(taken).rejects.toMatchObject({ status: 503 })
    await server.kill()
    const began = performance.now()
    await refused
    expect(performance.now() - began).toBeLessThan(200)
  })

  it('does not run a refused command once the server is back', async () => {
    await server.kill()
    await expect(cache.increment('late', minute)).rejects.toMatchObject({ status: 503 })
    await server.restart()
    await back()
    expect(await cache.increment('late', minute)).toBe(1)
  })

  it('hears subscribed channels again after an outage', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    await server.kill()
    await server.restart()
    await back()
    await hears(got)
  })

  it('hears them again within 5 s when only the listening connection was cut', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    const admin = new Redis(server.url)
    await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    admin.disconnect()
    expect(await cache.isUp()).toBe(true)
    await hears(got)
  })

  it('does not say that it listens until every channel is back', async () => {
    const channels = Array.from({ length: 5000 }, (_, at) => `news:${at}`)
    await Promise.all(channels.map((channel) => cache.subscribe(channel, () => {})))
    expect(cache.isListening).toBe(true)
    const admin = new Redis(server.url)
    const began = performance.now()
    for (let round = 0; round < 5; round++) {
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(cache.isListening).toBe(false), { interval: 1 })
      await vi.waitFor(() => expect(cache.isListening).toBe(true), { timeout: 5000, interval: 1 })
      const counts = await admin.pubsub('NUMSUB', ...channels)
      expect(counts.filter((count) => count === 1)).toHaveLength(channels.length)
    }
    expect(performance.now() - began).toBeLessThan(25_000)
    admin.disconnect()
  })

  it('listens again even without a subscriber before the outage or during it', async () => {
    await server.kill()
    await vi.waitFor(() => expect(cache.isListening).toBe(false))
    await expect(cache.subscribe('news', () => {})).rejects.toMatchObject({ status: 503 })
    await server.restart()
    await vi.waitFor(() => expect(cache.isListening).toBe(true), 5000)
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    await back()
    await hears(got)
  })

  it('listens to nothing that it was refused', async () => {
    server.pause()
    await expect(cache.subscribe('late', () => {})).rejects.toMatchObject({ status: 503 })
    server.resume()
    await back()
    await vi.waitFor(async () => expect(await cache.publish('late', 'message')).toBe(0), 3000)
  })

  it('notices that a listening connection has gone silent', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    server.pause()
    await vi.waitFor(() => expect(lines.join('')).toContain('is lost'), 6000)
    server.resume()
    await back()
    await hears(got)
  })

  describe('tells of an interruption', () => {
    /** What each handler that was called could do at that moment. */
    function watch() {
      const told: Promise<number>[] = []
      cache.onInterruption(() => {
        const published = cache.publish('news', 'back')
        // A test may end before it has left.
        published.catch(() => {})
        told.push(published)
      })
      return told
    }

    it('once, when messages leave and arrive again, after it was killed', async () => {
      const got: string[] = []
      await cache.subscribe('news', (message) => got.push(message))
      const told = watch()
      await server.kill()
      await wait(500)
      expect(told).toEqual([])
      await server.restart()
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      expect(await told[0]).toBe(1)
      await vi.waitFor(() => expect(got).toEqual(['back']))
      await wait(1500)
      expect(told).toHaveLength(1)
    })

    it('once, after it was stalled for longer than a silent connection is given', async () => {
      await cache.subscribe('news', () => {})
      const told = watch()
      server.pause()
      await vi.waitFor(() => expect(cache.isListening).toBe(false), 5000)
      server.resume()
      await vi.waitFor(() => expect(told).toHaveLength(1), 8000)
      expect(await told[0]).toBe(1)
      await wait(1500)
      expect(told).toHaveLength(1)
    })

    it('once for each time that the listening connection was cut, and not for the other one', async () => {
      await cache.subscribe('news', () => {})
      const told = watch()
      const admin = new Redis(server.url)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
      await vi.waitFor(() => expect(told).toHaveLength(2), 5000)
      await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      await back()
      await wait(500)
      expect(told).toHaveLength(2)
      admin.disconnect()
    })

    it('to the others when one of the handlers throws', async () => {
      cache.onInterruption(() => {
        throw new Error('a bad listener')
      })
      const told = watch()
      await server.kill()
      await server.restart()
      await vi.waitFor(() => expect(told).toHaveLength(1), 5000)
      expect(lines.join('')).toContain('a bad listener')
    })
  })

  it('leaves out a channel that has no subscribers any more', async () => {
    const got: string[] = []
    const leave = await cache.subscribe('old', (message) => got.push(message))
    await server.kill()
    await leave()
    await server.restart()
    await back()
    expect(await cache.publish('old', 'message')).toBe(0)
  })

  it('is logged once when it begins and once when it ends', async () => {
    await server.kill()
    await wait(1500)
    await server.restart()
    await wait(1500)
    const [lost, ...others] = lines
    expect(lost).toContain('the connection to the cache is lost')
    // It was empty when it came back, which either connection may find first.
    expect(others).toHaveLength(2)
    expect(others.join('')).toContain('the connection to the cache is back')
    expect(others.join('')).toContain('the cache lost its contents')
  })

  it('tries no further once it is closed', async () => {
    await server.kill()
    await cache.close()
    await wait(300)
    expect(lines.length).toBeLessThan(2)
    await expect(cache.get('key')).rejects.toMatchObject({ status: 503 })
  })
})
