import { describe, it } from 'vitest'
import { runs } from '../../test-env.ts'
import { kinds, missing } from './balancers/balancer.ts'
import { expectNothingLost, restartBehind } from './balancers/rolling-restarts.ts'

// At length it is some minutes behind each.
const rounds = runs >= 5000 ? 8 : 1
const size = { streams: 200, signedPerSecond: 50, plainPerSecond: 50, rounds }

describe('F27: three instances that are restarted one by one under a hundred requests a second', () => {
  for (const kind of kinds) {
    const lacks = missing(kind)
    it.skipIf(lacks)(
      `lose no request, no event of 200 streams and no sign-in behind ${kind}${lacks}`,
      async () => {
        const outcomes = await restartBehind([kind], size)
        for (const outcome of outcomes) expectNothingLost(outcome)
      },
      600_000,
    )
  }
})
