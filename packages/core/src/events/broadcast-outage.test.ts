import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { noRedis, upTo, useTestBroadcast } from './test-broadcast.ts'

const test = useTestBroadcast()
const rejections: unknown[] = []
const note = (error: unknown) => rejections.push(error)
const instance = () => test.instance()
type Instance = Awaited<ReturnType<typeof instance>>

/** Emits one after the other for so long; answers how long each took. */
async function emitFor({ event }: Instance, millis: number, from = 0) {
  const taken: number[] = []
  const began = performance.now()
  while (performance.now() - began < millis) {
    const start = performance.now()
    await event.emit({ at: from + taken.length })
    taken.push(performance.now() - start)
    await wait(2)
  }
  return taken
}

/** The moment below which 99 of 100 stay. */
const p99 = (taken: number[]) => taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)]

async function killListeners() {
  const admin = new Redis(test.redis.url)
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  admin.disconnect()
}

describe.skipIf(noRedis)(`F6: while Redis is out${noRedis}`, () => {
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
  })

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

  it('delivers everything here when it is stalled, and soon without asking it (E-022, E-023)', async () => {
    const here = await instance()
    test.redis.pause()
    const during = await emitFor(here, 5000)
    expect(here.got).toEqual(upTo(during.length))
    expect(during.filter((millis) => millis > 100).length).toBeLessThanOrEqual(5)
    expect(p99(during.slice(5))).toBeLessThan(20)
    test.redis.resume()
    await wait(1500)
    expect(here.got).toEqual(upTo(during.length))
  })

  it('delivers once what it answers after two seconds, and what follows', async () => {
    const here = await instance()
    const emitted = upTo(200).map((at) => here.event.emit({ at }))
    test.redis.pause()
    const more = upTo(200).map((at) => here.event.emit({ at: 200 + at }))
    await wait(2000)
    test.redis.resume()
    await Promise.all([...emitted, ...more])
    await vi.waitFor(() => expect(here.got.toSorted((a, b) => a - b)).toEqual(upTo(400)), 3000)
    await wait(1500)
    expect(here.got).toHaveLength(400)
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

  it('delivers everything once while it comes and goes', async () => {
    const here = await instance()
    const emitting = emitFor(here, 10_000)
    for (const round of upTo(10)) {
      await wait(500)
      if (round % 2) test.redis.pause()
      else await test.redis.kill()
      await wait(450)
      if (round % 2) test.redis.resume()
      else await test.redis.restart()
    }
    const count = (await emitting).length
    await wait(4000)
    expect(here.got.toSorted((a, b) => a - b)).toEqual(upTo(count))
    // One line when an outage begins and one when it is over.
    expect(test.lines.length).toBeLessThan(25)
  }, 30_000)
})
