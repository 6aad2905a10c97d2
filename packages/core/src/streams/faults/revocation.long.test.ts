import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { noRedis } from '../../events/test-broadcast.ts'
import { print } from './crowd.ts'
import { openWatched, startTwo } from './two-instances.ts'

it.skipIf(noRedis)(
  `finds within a minute what another instance revoked while the cache was down${noRedis}`,
  async () => {
    const two = await startTwo()
    const { here, there, redis } = two
    const [own, other] = [await openWatched(here, 'lost'), await openWatched(there, 'lost')]
    const kept = await openWatched(there, 'kept')
    await redis.kill()
    const began = performance.now()
    await here.ask('revoke', { user: 'u1', key: 'lost' })
    await Promise.race([Promise.all([own.finished, other.finished]), wait(65_000)])
    const [ownMillis, otherMillis] = [own, other].map(
      ({ endedAt }) => (endedAt() ?? Infinity) - began,
    )
    print({ 'ended here after ms': ownMillis ?? 0, there: otherMillis ?? 0 })
    expect(ownMillis).toBeLessThan(1500)
    expect(otherMillis).toBeLessThan(60_000)
    expect(kept.endedAt()).toBeUndefined()
    await two.stop()
  },
  90_000,
)
