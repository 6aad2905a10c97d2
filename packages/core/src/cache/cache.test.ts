import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { testCache } from './cache-suite.ts'
import { createMemoryCache } from './memory.ts'
import { connectCache, coreMigrations } from './server.ts'
import { redisProgram, startTestRedis } from './test-redis.ts'

const log = createLogger({ level: 'silent' })
const { CACHE_URL_TEST } = process.env
const reason = CACHE_URL_TEST || redisProgram ? '' : ' (no CACHE_URL_TEST and no redis-server)'

describe('memory', () => {
  testCache(async () => {
    const cache = await connectCache(undefined, { log })
    return { instances: [cache, cache], stop: () => cache.close() }
  })

  it('is of one process, and says so', async () => {
    const cache = createMemoryCache({ log })
    expect(cache.shared).toBe(false)
    await cache.close()
  })

  it('does not keep the process alive', async () => {
    const before = process.getActiveResourcesInfo()
    const cache = createMemoryCache({ log })
    expect(process.getActiveResourcesInfo()).toEqual(before)
    await cache.close()
  })

  describe('when it is full', () => {
    afterEach(() => void vi.useRealTimers())

    it('refuses with 503 instead of forgetting what it was trusted with', async () => {
      const cache = createMemoryCache({ log, maxEntries: 2 })
      await cache.set('a', '1', 60_000)
      await cache.increment('b', 60_000)
      await expect(cache.setIfAbsent('c', '1', 60_000)).rejects.toMatchObject({ status: 503 })
      expect(await cache.increment('b', 60_000)).toBe(2)
      expect(await cache.get('a')).toBe('1')
      await cache.close()
    })

    it('has room again once entries have expired, without a call that reads them', async () => {
      vi.useFakeTimers()
      const cache = createMemoryCache({ log, maxEntries: 2 })
      await cache.set('a', '1', 1000)
      await cache.set('b', '1', 60_000)
      await vi.advanceTimersByTimeAsync(11_000)
      await cache.set('c', '1', 60_000)
      await expect(cache.set('d', '1', 60_000)).rejects.toMatchObject({ status: 503 })
      await cache.close()
    })
  })
})

describe('postgres', () => {
  testCache(async () => {
    const database = await createTestDatabase({ sources: [coreMigrations] })
    const open = () => connectCache('postgres:', { log, database })
    const [here, there] = [await open(), await open()]
    return {
      instances: [here, there],
      async stop() {
        await Promise.all([here.close(), there.close()])
        await database.drop()
      },
    }
  })
})

describe.skipIf(reason)(`redis${reason}`, () => {
  testCache(async () => {
    const server = CACHE_URL_TEST ? null : await startTestRedis()
    const url = CACHE_URL_TEST ?? server?.url
    const [here, there] = [await connectCache(url, { log }), await connectCache(url, { log })]
    return {
      instances: [here, there],
      async stop() {
        await Promise.all([here.close(), there.close()])
        await server?.stop()
      },
    }
  })
})
