/** Time is a dependency: an operation reads it once, and a test may move it. */
export interface Clock {
  now(): Date
  /** A test moves it, so that it says nothing beside the clocks of the database and the cache. */
  readonly isVirtual?: boolean
}

export const systemClock: Clock = { now: () => new Date() }
