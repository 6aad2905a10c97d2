import type { Clock } from '../clock/clock.ts'
import { parseDuration } from '../env/env.ts'

/** A clock whose time moves only when a test moves it. */
export interface VirtualClock extends Clock {
  /** Moves time forward: `clock.advance('5m')`, or milliseconds. */
  advance(by: string | number): void
  set(moment: Date): void
  /** Set to false, it is compared with the clocks of the database and the cache as a real one is. */
  isVirtual: boolean
}

/** A clock that stands still until a test moves it. */
export function createVirtualClock(start = new Date()): VirtualClock {
  let now = start.getTime()
  return {
    isVirtual: true,
    now: () => new Date(now),
    advance(by) {
      const millis = typeof by === 'number' ? by : parseDuration(by)
      if (millis === null) throw new TypeError(`"${by}" is not a duration such as 5m or 90d.`)
      now += millis
    },
    set(moment) {
      now = moment.getTime()
    },
  }
}
