import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import type { Cache } from '../cache.ts'
import { connectCache } from '../server.ts'
import { redisProgram, startTestRedis } from '../test-redis.ts'
import { startTestSentinel, type TestSentinel } from './test-sentinel.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const minute = 60_000
const log = createLogger({ level: 'silent' })

let sentinel: TestSentinel
let stops: (() => Promise<unknown>)[]

async function open(url: string) {
  const cache = await connectCache(url, { log })
  stops.push(() => cache.close())
  return cache
}

async function refusal(url: string) {
  const error = await open(url).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'CacheConnectionError' })
  return error instanceof Error ? error.message : ''
}

/** An id that was spent when the cache had been there for a while, and how it is answered from now on. */
async function spendOnce(cache: Cache) {
  const far = { sinceMillis: Date.now() + minute, ttlMillis: minute }
  const { bornAtMillis } = await cache.spend('probe', far)
  const once = { sinceMillis: bornAtMillis + 1, ttlMillis: minute }
  expect(await cache.spend('id', once)).toMatchObject({ outcome: 'first' })
  expect(await cache.spend('id', once)).toMatchObject({ outcome: 'again' })
  return async () => (await cache.spend('id', once)).outcome
}

describe.skipIf(reason)(`Sentinels${reason}`, () => {
  beforeEach(() => {
    stops = []
  })
  afterEach(async () => {
    for (const stop of stops.toReversed()) await stop()
  })

  const failovers = {
    'was killed': () => sentinel.primary.kill(),
    'is stalled': async () => sentinel.primary.pause(),
    'gave its place away': () => sentinel.call('SENTINEL', 'FAILOVER', 'mymaster'),
  }

  it.each(Object.entries(failovers))(
    'lead to the new primary when the old one %s, and no spent id counts again (F26)',
    async (_, begin) => {
      sentinel = await startTestSentinel()
      stops.push(() => sentinel.stop())
      const cache = await open(sentinel.url)
      const got: string[] = []
      const told = vi.fn<() => void>()
      await cache.subscribe('news', (message) => got.push(message))
      cache.onInterruption(told)
      const again = await spendOnce(cache)

      await begin()
      const isPrimary = async () => String(await sentinel.replica.call('ROLE')).startsWith('master')
      await vi.waitFor(async () => expect(await isPrimary()).toBe(true), 10_000)
      const began = performance.now()
      await vi.waitFor(async () => {
        expect(await cache.isUp()).toBe(true)
        expect(told).toHaveBeenCalled()
      }, 10_000)
      expect(performance.now() - began).toBeLessThan(5000)

      expect(await again()).toBe('unknown')
      expect(await cache.publish('news', 'after')).toBe(1)
      await vi.waitFor(() => expect(got).toEqual(['after']))
      expect(await sentinel.replica.call('PUBSUB', 'NUMSUB', 'news')).toEqual(['news', 1])
    },
  )

  it('are found again after all of them were gone', async () => {
    sentinel = await startTestSentinel()
    stops.push(() => sentinel.stop())
    const cache = await open(sentinel.url)
    await Promise.all([sentinel.kill(), sentinel.primary.kill()])
    await vi.waitFor(async () => expect(await cache.isUp()).toBe(false), 3000)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await Promise.all([sentinel.restart(), sentinel.primary.restart()])
    await vi.waitFor(async () => expect(await cache.isUp()).toBe(true), 10_000)
  })

  it('with a password of their own are asked with it, and it is in no error', async () => {
    sentinel = await startTestSentinel({ password: 'hunter2' })
    stops.push(() => sentinel.stop())
    expect(await refusal(sentinel.url)).toMatch(
      /^The Sentinels at .* refuse the user or password: correct sentinelUsername and sentinelPassword in CACHE_URL\.$/,
    )
    const wrong = await refusal(`${sentinel.url}&sentinelPassword=wrongsecret`)
    expect(wrong).toMatch(/^The Sentinels at .* refuse the user or password/)
    expect(wrong).not.toContain('wrongsecret')
    const cache = await open(`${sentinel.url}&sentinelPassword=hunter2&prefix=shop:`)
    await cache.set('key', 'value', minute)
    expect(await sentinel.primary.call('GET', 'shop:key')).toBe('value')
    expect(
      await refusal(sentinel.url.replace('mymaster', 'other&sentinelPassword=hunter2')),
    ).toMatch(/know no primary of this name: correct name in CACHE_URL\.$/)
  })

  it('that do not answer, or are none, are refused at the start (F26)', async () => {
    expect(await refusal('redis+sentinel://127.0.0.1:1,127.0.0.1:2/0?name=mymaster')).toMatch(
      /^Nothing answers at 127\.0\.0\.1:1, 127\.0\.0\.1:2: start/,
    )
    const server = await startTestRedis()
    stops.push(() => server.stop())
    expect(await refusal(`redis+sentinel://127.0.0.1:${server.port}?name=mymaster`)).toMatch(
      /is not a Sentinel: write redis:\/\/ in CACHE_URL\.$/,
    )
  })

  it('are refused where CACHE_URL takes one for a server (F26)', async () => {
    sentinel = await startTestSentinel()
    stops.push(() => sentinel.stop())
    expect(await refusal(`redis://127.0.0.1:${sentinel.port}`)).toMatch(
      /is a Sentinel: write redis\+sentinel:\/\/ in CACHE_URL, and \?name= with the name of the primary\.$/,
    )
  })
})
