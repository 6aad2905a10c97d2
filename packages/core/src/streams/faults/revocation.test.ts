import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisProgram } from '../../cache/test-redis.ts'
import { print } from './crowd.ts'
import { openWatched, startTwo } from './two-instances.ts'

const missing = redisProgram ? '' : ' (no redis-server on PATH)'

let two: Awaited<ReturnType<typeof startTwo>>

describe.skipIf(missing)(`F23: a key that is revoked on one instance${missing}`, () => {
  beforeAll(async () => {
    two = await startTwo()
  })
  afterAll(() => two.stop())

  it('ends its streams on that one and on the other within a second, and no other key’s', async () => {
    const { here, there } = two
    const lost = [await openWatched(here, 'lost'), await openWatched(there, 'lost')]
    const kept = [await openWatched(here, 'kept'), await openWatched(there, 'kept')]
    expect([...lost, ...kept].map(({ stream }) => stream.status)).toEqual([200, 200, 200, 200])
    const began = performance.now()
    await here.ask('revoke', { user: 'u1', key: 'lost' })
    await Promise.race([Promise.all(lost.map(({ finished }) => finished)), wait(3000)])
    const [own = Number.NaN, other = Number.NaN] = lost.map(
      ({ endedAt }) => (endedAt() ?? Infinity) - began,
    )
    print({ 'ended here after ms': own, there: other })
    expect(own).toBeLessThan(1000)
    expect(other).toBeLessThan(1000)
    await wait(200)
    expect(kept.map(({ endedAt }) => endedAt())).toEqual([undefined, undefined])
    expect((await openWatched(there, 'lost')).stream.status).toBe(401)
  })
})
