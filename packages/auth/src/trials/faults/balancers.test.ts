import { beforeAll, describe, it } from 'vitest'
import { kinds, missing } from './balancers/balancer.ts'
import { expectNothingLost, restartBehind } from './balancers/rolling-restarts.ts'

// All at once: the instances are restarted once, under the load of each.
const size = { streams: 20, signedPerSecond: 20, plainPerSecond: 50, rounds: 1 }

describe('F27: three instances that are restarted one by one under load', () => {
  const there = kinds.filter((kind) => missing(kind) === '')
  let outcomes: Awaited<ReturnType<typeof restartBehind>> = []
  beforeAll(async () => {
    outcomes = await restartBehind(there, size)
  }, 120_000)

  for (const kind of kinds) {
    const lacks = missing(kind)
    it.skipIf(lacks)(`lose no request, no event and no sign-in behind ${kind}${lacks}`, () => {
      for (const outcome of outcomes) if (outcome.balancer === kind) expectNothingLost(outcome)
    })
  }
})
