import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { noRedis, upTo } from './test-broadcast.ts'
import { p99, useOutage } from './test-broadcast-outage.ts'

const { test, instance, emitFor } = useOutage()

async function killListeners() {
  const admin = new Redis(test.redis.url)
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  admin.disconnect()
}

describe.skipIf(noRedis)(`F6: while Redis is out${noRedis}`, () => {
  it('delivers everything here, once and in order, when it was killed (E-022, E-023, E-026)', async () => {
    const here = await instance()
    const before = await emitFor(here, 300)
    await test.redis.kill()
    const during = await emitFor(here, 1500, before.length)
    const count = before.length + during.length
    expect(here.got).toEqual(upTo(count))
    expect(p99(during.slice(5))).toBeLessThan(20)
    expect(test.said('cannot be broadcast')).toBe(1)
  })

  it('is broadcasting again within 10 s of its return (E-023)', async () => {
    const [here, there] = [await instance(), await instance()]
    await test.redis.kill()
    const during = await emitFor(here, 500)
    await test.redis.restart()
    const began = performance.now()
    let at = during.length
    await vi.waitFor(
      async () => {
        await here.event.emit({ at: at++ })
        expect(there.got).not.toEqual([])
      },
      { timeout: 12_000, interval: 50 },
    )
    expect(performance.now() - began).toBeLessThan(10_500)
    await here.event.emit({ at })
    await vi.waitFor(() => expect(here.got).toEqual(upTo(at + 1)), 2000)
    await vi.waitFor(async () => {
      await here.event.emit({ at: ++at })
      expect(test.said('broadcast again')).toBe(1)
    }, 2000)
  })

  it('F8: delivers here while only the listening connection is down, which is back within 5 s (E-022)', async () => {
    const [here, there] = [await instance(), await instance()]
    const emitting = emitFor(here, 3000)
    for (const _ of upTo(5)) {
      await wait(300)
      await killListeners()
    }
    const count = (await emitting).length
    await vi.waitFor(() => expect(here.got).toHaveLength(count), 2000)
    expect(here.got).toEqual(upTo(count))
    there.got.length = 0
    const began = performance.now()
    let at = count
    await vi.waitFor(async () => {
      await here.event.emit({ at: at++ })
      expect(there.got).not.toEqual([])
    }, 6000)
    expect(performance.now() - began).toBeLessThan(5000)
    await vi.waitFor(() => expect(here.got).toEqual(upTo(at)), 2000)
  })
})
