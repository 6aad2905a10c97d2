import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { noRedis, upTo, useTestBroadcast } from './test-broadcast.ts'

const test = useTestBroadcast()
const minute = 60_000

async function killListeners() {
  const admin = new Redis(test.redis.url)
  await admin.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  admin.disconnect()
}

/** One second each in which something is cut or stands still. */
const faults = [
  async () => {
    await test.redis.kill()
    await wait(500)
    await test.redis.restart()
  },
  async () => {
    test.redis.pause()
    await wait(500)
    test.redis.resume()
  },
  killListeners,
]

function isAscending(numbers: number[]) {
  return numbers.every((each, at) => at === 0 || each > (numbers[at - 1] ?? 0))
}

describe.skipIf(noRedis)(`for a long time${noRedis}`, () => {
  it(
    'keeps the order of a million emissions on every instance (E-026)',
    async () => {
      const [here, there] = [await test.instance(), await test.instance()]
      for (const at of upTo(1_000_000)) await here.event.emit({ at })
      await vi.waitFor(() => expect(there.got.length).toBe(1_000_000), 30_000)
      for (const { got } of [here, there]) {
        expect(got.length).toBe(1_000_000)
        expect(isAscending(got)).toBe(true)
      }
    },
    30 * minute,
  )

  it(
    'F7: delivers here once each, and elsewhere at most once, while Redis comes and goes for ten minutes (E-022, E-025)',
    async () => {
      const rejections: unknown[] = []
      const note = (error: unknown) => rejections.push(error)
      process.on('unhandledRejection', note)
      const [here, there] = [await test.instance(), await test.instance()]
      const until = performance.now() + 10 * minute
      let count = 0
      const emitting = (async () => {
        while (performance.now() < until) {
          await here.event.emit({ at: count++ })
          await wait(1)
        }
      })()
      const memory: number[] = []
      for (let round = 0; performance.now() < until; round++) {
        await wait(500)
        await faults[round % faults.length]?.()
        globalThis.gc?.()
        memory.push(process.memoryUsage().rss)
      }
      await emitting
      await wait(5000)
      process.off('unhandledRejection', note)

      expect(rejections).toEqual([])
      expect(here.got.length).toBe(count)
      expect(new Set(here.got).size).toBe(count)
      expect(new Set(there.got).size).toBe(there.got.length)
      const [early = 0, late = 0] = [memory[Math.floor(memory.length / 5)], memory.at(-1)]
      expect(late).toBeLessThan(early + 150_000_000)
    },
    15 * minute,
  )
})
