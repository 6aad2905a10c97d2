import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../../observation/logger.ts'
import type { Cache } from '../cache.ts'
import { testCache } from '../cache-suite.ts'
import { connectCache } from '../server.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../test-redis.ts'
import { startTestCluster, type TestCluster } from './test-cluster.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'
const minute = 60_000
const log = createLogger({ level: 'silent' })
const guide = readFileSync(new URL('../../../../../docs/guide/cache.md', import.meta.url), 'utf8')
const [line = ''] = /^ACL SETUSER shop .*~\{shop:\}\* .*$/m.exec(guide) ?? []

async function refusal(url: string) {
  const error = await connectCache(url, { log }).then(
    (cache) => cache.close(),
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'CacheConnectionError' })
  return error instanceof Error ? error.message : ''
}

describe.skipIf(reason)(`a Cluster${reason}`, () => {
  let cluster: TestCluster
  beforeAll(async () => {
    cluster = await startTestCluster()
  })
  afterAll(() => cluster.stop())

  describe('and the user of docs/guide/cache.md', () => {
    testCache(async () => {
      for (const node of cluster.nodes) await node.call('ACL', ...line.split(' ').slice(1))
      const url = `${cluster.url.replace('//', '//shop:password@')}?prefix=shop:`
      const [here, there] = [await connectCache(url, { log }), await connectCache(url, { log })]
      return {
        instances: [here, there],
        async stop() {
          const keys = await Promise.all(cluster.nodes.map((node) => node.call('KEYS', '*')))
          await Promise.all([here.close(), there.close()])
          expect(keys.flat()).not.toContainEqual(expect.not.stringMatching(/^\{shop:\}/))
          for (const node of cluster.nodes) expect(await node.call('ACL', 'LOG')).toEqual([])
        },
      }
    })
  })

  it('is refused where CACHE_URL takes a node for a server (F26)', async () => {
    for (const node of [cluster.owner, cluster.other, cluster.replica]) {
      expect(await refusal(node.url)).toMatch(
        /is a node of a Cluster: write redis\+cluster:\/\/ in CACHE_URL\.$/,
      )
    }
  })

  it('is refused where the user may not ask whether another server took over (F26)', async () => {
    const url = `${cluster.url.replace('//', '//shop:password@')}?prefix=shop:`
    for (const node of cluster.nodes) await node.call('ACL', 'SETUSER', 'shop', '-info')
    expect(await refusal(url)).toMatch(/refuses a command, key or channel .*'info'/)
  })

  it('has no database but 0 and no braces in its prefix (F26)', async () => {
    expect(await refusal(`${cluster.url}/1`)).toMatch(/has only database 0: remove \/1/)
    expect(await refusal(`${cluster.url}?prefix={a}`)).toMatch(/remove them/)
  })

  describe('whose slot is elsewhere', () => {
    let cache: Cache
    let got: string[]
    const told = vi.fn<() => void>()
    beforeEach(async () => {
      cache = await connectCache(cluster.url, { log })
      got = []
      await cache.subscribe('news', (message) => got.push(message))
      told.mockReset()
      cache.onInterruption(told)
    })
    afterEach(() => cache.close())

    /** Spends an id, and says how it is answered from then on. */
    async function spendOnce() {
      const far = { sinceMillis: Date.now() + minute, ttlMillis: minute }
      const { bornAtMillis } = await cache.spend('probe', far)
      const once = { sinceMillis: bornAtMillis + 1, ttlMillis: minute }
      const id = `id:${Math.random()}`
      expect(await cache.spend(id, once)).toMatchObject({ outcome: 'first' })
      return async () => (await cache.spend(id, once)).outcome
    }

    async function isBackAt(node: TestRedis, began: number) {
      await vi.waitFor(
        async () => {
          expect(await cache.isUp()).toBe(true)
          expect(told).toHaveBeenCalled()
          expect(await node.call('PUBSUB', 'SHARDNUMSUB', '{svc}news')).toEqual(['{svc}news', 1])
        },
        { timeout: 10_000 },
      )
      expect(performance.now() - began).toBeLessThan(5000)
      expect(await cache.publish('news', 'after')).toBe(1)
      await vi.waitFor(() => expect(got).toEqual(['after']))
    }

    it('is followed to the replica that takes over (F26)', async () => {
      const again = await spendOnce()
      await cluster.failOver()
      await isBackAt(cluster.replica, performance.now())
      expect(await again()).toBe('unknown')
    })

    it('is followed when a slot moves, and no spent id counts again (F26)', async () => {
      const again = await spendOnce()
      await cache.set('key', 'value', minute)
      await cluster.moveSlot()
      // An instance that asks for nothing is told, too.
      await vi.waitFor(() => expect(told).toHaveBeenCalled(), 3000)
      await isBackAt(cluster.other, performance.now())
      expect(await again()).toBe('unknown')
      expect(await cache.get('key')).toBe('value')
    })
  })
})

describe.skipIf(reason)(`a server that is no Cluster${reason}`, () => {
  it('is refused where CACHE_URL names a Cluster (F26)', async () => {
    const server = await startTestRedis()
    expect(await refusal(server.url.replace('redis:', 'redis+cluster:'))).toMatch(
      /is not a Cluster: write redis:\/\/ in CACHE_URL\.$/,
    )
    await server.stop()
  })
})
