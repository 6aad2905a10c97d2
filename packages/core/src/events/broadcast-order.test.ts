import { describe, expect, it, vi } from 'vitest'
import { noRedis, upTo, useTestBroadcast } from './test-broadcast.ts'

const test = useTestBroadcast()

describe.skipIf(noRedis)(`many emissions${noRedis}`, () => {
  it('keep their order on every instance when each is awaited (E-026)', async () => {
    const [here, there] = [await test.instance(), await test.instance()]
    for (const at of upTo(20_000)) await here.event.emit({ at })
    await vi.waitFor(() => {
      expect([here.got.length, there.got.length]).toEqual([20_000, 20_000])
    }, 5000)
    expect(here.got).toEqual(upTo(20_000))
    expect(there.got).toEqual(upTo(20_000))
  }, 60_000)

  it('R37: reach every handler that is there all the time, while others come and go', async () => {
    const here = await test.instance()
    const { event } = here
    let deliveries = 0
    const emitting = (async () => {
      for (const at of upTo(3000)) await event.emit({ at })
    })()
    const over = new AbortController()
    const coming = (async () => {
      while (!over.signal.aborted) {
        const leave = upTo(10).map(() => event.subscribe(() => deliveries++))
        await new Promise((resolve) => setImmediate(resolve))
        for (const each of leave) each()
        for (const each of leave) each()
      }
    })()
    await emitting
    await vi.waitFor(() => expect(here.got).toHaveLength(3000), 5000)
    over.abort()
    await coming
    const before = deliveries
    await event.emit({ at: 3000 })
    await vi.waitFor(() => expect(here.got).toEqual(upTo(3001)))
    expect(before).toBeGreaterThan(0)
    expect(deliveries).toBe(before)
  }, 30_000)
})
