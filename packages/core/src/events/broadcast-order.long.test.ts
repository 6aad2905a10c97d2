import { describe, expect, it, vi } from 'vitest'
import { noRedis, upTo, useTestBroadcast } from './test-broadcast.ts'

const test = useTestBroadcast()

describe.skipIf(noRedis)(`many emissions${noRedis}`, () => {
  it('arrive once each, 256 at a time (E-018)', async () => {
    const [here, there] = [await test.instance(), await test.instance()]
    const count = 100_000
    let next = 0
    const emitter = async () => {
      while (next < count) await here.event.emit({ at: next++ })
    }
    await Promise.all(upTo(256).map(emitter))
    await vi.waitFor(() => {
      expect([here.got.length, there.got.length]).toEqual([count, count])
    }, 20_000)
    expect(here.got).toEqual(upTo(count))
    expect(there.got).toEqual(upTo(count))
  }, 60_000)
})
