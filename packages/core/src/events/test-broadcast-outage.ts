import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect } from 'vitest'
import { useTestBroadcast } from './test-broadcast.ts'

/** The moment below which 99 of 100 stay. */
export const p99 = (taken: number[]) =>
  taken.toSorted((a, b) => a - b)[Math.floor(taken.length * 0.99)]

/** Instances over a Redis that a test may end; no rejection is left unhandled. */
export function useOutage() {
  const rejections: unknown[] = []
  const note = (error: unknown) => rejections.push(error)
  beforeEach(() => {
    rejections.length = 0
    process.on('unhandledRejection', note)
  })
  afterEach(() => {
    process.off('unhandledRejection', note)
    expect(rejections).toEqual([])
  })

  const test = useTestBroadcast()
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
  return { test, instance, emitFor }
}
