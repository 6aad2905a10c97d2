/** Time is a dependency: an operation reads it once, and a test may move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
