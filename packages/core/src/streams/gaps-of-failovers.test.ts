import { afterEach, describe, expect, it, vi } from 'vitest'
import { startTestCluster } from '../cache/redis/test-cluster.ts'
import { startTestSentinel } from '../cache/redis/test-sentinel.ts'
import { noRedis } from '../events/test-broadcast.ts'
import { both, interrupted, startStreamedInstance } from './test-gaps.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startSentinel() {
  const sentinel = await startTestSentinel()
  const failOver = () => sentinel.primary.kill()
  return { url: sentinel.url, failOver, stop: () => sentinel.stop() }
}

async function startInstance(url: string) {
  const instance = await startStreamedInstance({ env: { CACHE_URL: url } })
  closers.push(() => instance.stop())
  return instance
}

describe.skipIf(noRedis)(`F26: streams of two instances${noRedis}`, () => {
  it.each([
    ['Sentinels name another primary', startSentinel],
    ['a replica of a Cluster takes over', startTestCluster],
  ])('are told of one gap when %s, behind which nothing is missing', async (_, start) => {
    const cache = await start()
    closers.push(() => cache.stop())
    const [here, there] = [await startInstance(cache.url), await startInstance(cache.url)]
    await here.emit(1)
    await vi.waitFor(() => expect([here.told(), there.told()]).toEqual([both([1]), both([1])]))
    await cache.failOver()
    const isTold = (told: unknown[][]) => told.every((each) => each.length > 1)
    const soon = { timeout: 15_000, interval: 20 }
    await vi.waitFor(() => expect(isTold([...here.told(), ...there.told()])).toBe(true), soon)
    await here.emit(2, 3)
    await vi.waitFor(() => {
      expect(there.told()).toEqual(both([1, interrupted, 2, 3]))
      expect(here.told()).toEqual(both([1, interrupted, 2, 3]))
    }, soon)
  })
})
