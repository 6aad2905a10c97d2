/** Time is a dependency: an operation reads it once, and a test may move it. */
export interface Clock {
  now(): Date
  /** Set for a test's clock, which must not be compared with the clocks of the database and the cache. */
  readonly isVirtual?: boolean
}

export const systemClock: Clock = { now: () => new Date() }
