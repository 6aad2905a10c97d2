import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { orFew } from '../../../../scripts/test/or-few.ts'
import { startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { startTestPostgres, type TestPostgres } from '../database/test-postgres.ts'
import { noRedis } from '../events/test-broadcast.ts'
import { both, interrupted, startStreamedInstance } from './test-gaps.ts'
import { openTestStream, type TestStream } from './test-stream.ts'

const soon = { timeout: 8000, interval: 20 }

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function startInstance(options: Parameters<typeof startStreamedInstance>[0]) {
  const instance = await startStreamedInstance(options)
  closers.push(() => instance.stop())
  return instance
}

describe.skipIf(noRedis)(`F24: streams of two instances over Redis${noRedis}`, () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startTestRedis()
  })
  afterAll(() => redis.stop())

  async function outage(run: () => unknown = () => {}) {
    await redis.kill()
    await run()
    await redis.restart()
  }

  it('are told of one gap after an outage, behind which nothing is missing (E-025)', async () => {
    const env = { CACHE_URL: redis.url }
    const [here, there] = [await startInstance({ env }), await startInstance({ env })]
    await here.emit(1)
    await vi.waitFor(() => expect([here.told(), there.told()]).toEqual([both([1]), both([1])]))
    await outage(() => here.emit(2, 20))
    const isTold = (told: unknown[][]) => told.every((each) => each.length > 1)
    await vi.waitFor(() => expect(isTold(there.told())).toBe(true), soon)
    await here.emit(21, 22)
    const missed = Array.from({ length: 19 }, (_, at) => at + 2)
    await vi.waitFor(() => {
      expect(there.told()).toEqual(both([1, interrupted, 21, 22]))
      expect(here.told()).toEqual(both([1, ...missed, interrupted, 21, 22]))
    }, soon)
  }, 30_000)

  it('are told by the history of a process, too, when they come again', async () => {
    const given = { env: { CACHE_URL: redis.url }, history: { size: 100, ttl: 60_000 } }
    const here = await startInstance(given)
    await here.emit(1)
    await vi.waitFor(() => expect(here.told()).toEqual(both([1])))
    const lastId = here.sse.frames.findLast(({ id }) => id)?.id ?? ''
    here.sse.close()
    await outage()
    await vi.waitFor(() => expect(here.told()[1]).toEqual([1, interrupted]), soon)
    const again: TestStream = await openTestStream(`${here.url}/events/stream?events=tick`, {
      'last-event-id': lastId,
    })
    await vi.waitFor(() => expect(again.frames).toHaveLength(2))
    expect(again.frames).toMatchObject([
      { event: 'connected', data: { recovered: true } },
      { event: 'gap', data: interrupted },
    ])
  }, 30_000)

  it('are told of none where no event comes over Redis', async () => {
    const env = { CACHE_URL: redis.url }
    const alone = await startInstance({ env, multiInstance: false })
    const history = { size: 100, ttl: 60_000 }
    const kept = await startInstance({ env, database: true, history })
    await outage(async () => {
      await alone.emit(1)
      await kept.emit(1)
    })
    await vi.waitFor(() => expect(kept.infrastructure.cache.isListening).toBe(true), soon)
    await wait(2500)
    expect([alone.told(), kept.told()]).toEqual([both([1]), both([1])])
  }, 30_000)
})

describe('F24: streams of two instances over PostgreSQL', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startTestPostgres()
  })
  afterAll(() => postgres.stop())

  it.each(
    orFew<[string, () => Promise<unknown>, () => Promise<unknown>]>([
      ['killed', () => postgres.kill(), () => postgres.restart()],
      ['stalled', async () => postgres.pause(), async () => postgres.resume()],
    ]),
  )(
    'are told of one gap after it was %s',
    async (_, begin, end) => {
      const env = { CACHE_URL: 'postgres:', DATABASE_URL: postgres.url }
      const [here, there] = [await startInstance({ env }), await startInstance({ env })]
      await here.emit(1)
      await vi.waitFor(() => expect([here.told(), there.told()]).toEqual([both([1]), both([1])]))
      await begin()
      const emitting = here.emit(2, 6)
      await wait(4000)
      await end()
      await emitting
      const isTold = (told: unknown[][]) =>
        told.every((each) => each.some((frame) => typeof frame === 'object'))
      await vi.waitFor(() => expect(isTold([...here.told(), ...there.told()])).toBe(true), {
        timeout: 15_000,
      })
      await here.emit(7)
      await vi.waitFor(() => {
        expect(there.told()).toEqual(both([1, interrupted, 7]))
        expect(here.told()).toEqual(both([1, 2, 3, 4, 5, 6, interrupted, 7]))
      }, soon)
    },
    60_000,
  )
})
