import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { noRedis, upTo } from './test-broadcast.ts'
import { p99, useOutage } from './test-broadcast-outage.ts'

const { test, instance, emitFor } = useOutage()

describe.skipIf(noRedis)(`F6: while Redis is out${noRedis}`, () => {
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
