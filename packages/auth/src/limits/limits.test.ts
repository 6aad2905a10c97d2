import { setImmediate as nextTurn } from 'node:timers/promises'
import { databaseFailure } from '@svc/core'
import {
  type Attempt,
  type Counted,
  countInCache,
  countTogether,
  LimitHits,
} from '@svc/core/limits'
import { createTestDatabase, redisProgram, startTestRedis } from '@svc/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authOf } from '../auth.ts'
import { startTestAuth, type TestAuth } from '../testing.ts'
import type { Limits } from './contract.ts'
import { createLimits, forgetAttempts } from './limits.ts'
import { attempts } from './schema.ts'
import { everyLimit as table } from './testing/limits.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'

interface Store {
  auth: TestAuth
  count: (attempt: Attempt) => Promise<Counted>
  stop: () => Promise<void>
}

/** What both stores keep to. */
function testLimits(open: () => Promise<Store>) {
  let store: Store
  let instances: [Limits, Limits]
  beforeAll(async () => {
    store = await open()
    const second = await store.auth.secondInstance()
    second.clock.set(store.auth.clock.now())
    instances = [store.auth.auth.limits, authOf(second.infrastructure).limits]
  })
  afterAll(() => store.stop())

  const manyTakes = (take: (limits: Limits) => Promise<void>) =>
    Promise.allSettled(Array.from({ length: 1000 }, (_, at) => take(instances[at % 2] as Limits)))

  it('lets exactly as many pass as it says, of a thousand at once over two instances (A-373)', async () => {
    const asked = await manyTakes((limits) =>
      limits.take('login by known browser', 'ada@example.com'),
    )
    const refused = asked.filter((each) => each.status === 'rejected')
    expect(refused).toHaveLength(990)
    for (const { reason: error } of refused) {
      expect(error).toMatchObject({ name: 'TooManyRequestsError', status: 429 })
      expect(error.retryAfter).toBeGreaterThanOrEqual(1)
      expect(error.retryAfter).toBeLessThanOrEqual(60)
    }
  })

  it('counts each subject and each limit for itself', async () => {
    const [limits] = instances
    for (let at = 0; at < 10; at += 1)
      await limits.take('code verify by known browser', 'a@example.com')
    await expect(limits.take('code verify by known browser', 'a@example.com')).rejects.toThrow()
    await limits.take('code verify by known browser', 'b@example.com')
    await limits.take('register by target', 'a@example.com')
  })

  it('counts all whose address is not known as one', async () => {
    const asked = await manyTakes((limits) => limits.take('code send by address', null))
    expect(asked.filter((each) => each.status === 'fulfilled')).toHaveLength(20)
  })

  it('counts the addresses of one IPv6 network as one', async () => {
    let device = 0
    const taken = await manyTakes((limits) => {
      device += 1
      return limits.take('code verify by address', `2001:db8:0:7::${device.toString(16)}`)
    })
    expect(taken.filter((each) => each.status === 'fulfilled')).toHaveLength(50)
    await instances[0].take('code verify by address', '2001:db8:0:8::1')
  })

  it('opens a window with the first and lets nothing prolong it', async () => {
    const now = new Date()
    const attempt = { id: 'a window', windowMillis: 3_600_000, now }
    const first = await store.count(attempt)
    const later = new Date(now.getTime() + 1_800_000)
    const second = await store.count({ ...attempt, now: later })
    const endsAt = new Date(now.getTime() + 3_600_000)
    expect([first, second]).toEqual([
      { count: 1, endsAt },
      { count: 2, endsAt },
    ])
  })
}

describe('limits in the database', () => {
  let auth: TestAuth
  testLimits(async () => {
    auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const { db } = auth.auth
    return { auth, count: countTogether(db, 'svc_auth.attempts'), stop: () => auth.stop() }
  })

  it('tell each of a turn a number of its own, over two instances that count in another order', async () => {
    const counters = [1, 2].map(() => countTogether(auth.auth.db, 'svc_auth.attempts'))
    const ids = Array.from({ length: 40 }, (_, at) => `together ${at}`)
    const now = new Date()
    const rounds = 50
    const counted = new Map(ids.map((id) => [id, [] as number[]]))
    for (let round = 0; round < rounds; round += 1) {
      const orders = [ids, ids.toReversed()]
      await Promise.all(
        orders.flatMap((order, at) =>
          order.map(async (id) => {
            const one = await counters[at]?.({ id, windowMillis: 60_000, now })
            counted.get(id)?.push(one?.count ?? 0)
          }),
        ),
      )
    }
    const numbers = Array.from({ length: 2 * rounds }, (_, at) => at + 1)
    for (const own of counted.values()) expect(own.toSorted((a, b) => a - b)).toEqual(numbers)
  })

  /** Counts by statements that each wait for their turn, if they have one. */
  function countHeld(...held: PromiseWithResolvers<void>[]) {
    const made = { statements: 0 }
    const slow = new Proxy(auth.auth.db, {
      get(of, name) {
        const value = Reflect.get(of, name)
        if (name !== 'execute') return value
        return async (...given: unknown[]) => {
          await held[made.statements++]?.promise
          return value.apply(of, given)
        }
      },
    })
    return { made, count: countTogether(slow, 'svc_auth.attempts') }
  }

  it('wait only for a moment for a statement that hangs', async () => {
    const hanging = Promise.withResolvers<void>()
    const { made, count } = countHeld(hanging)
    const attempt = { id: 'beside one that hangs', windowMillis: 60_000, now: new Date() }
    const first = count(attempt)
    await expect.poll(() => made.statements).toBe(1)
    const began = performance.now()
    expect(await count(attempt)).toMatchObject({ count: 1 })
    expect(performance.now() - began).toBeLessThan(2000)
    expect(await count(attempt)).toMatchObject({ count: 2 })
    hanging.resolve()
    expect(await first).toMatchObject({ count: 3 })
  })

  it('count in one statement what comes while another one runs, also if that one fails', async () => {
    const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { made, count } = countHeld(...held)
    const attempt = { id: 'while it runs', windowMillis: 60_000, now: new Date() }
    const failing = count(attempt)
    await expect.poll(() => made.statements).toBe(1)
    const waiting = [count(attempt)]
    await nextTurn()
    waiting.push(count(attempt))
    await nextTurn()
    expect(made.statements).toBe(1)
    held[0]?.reject(new Error('the connection is lost'))
    held[1]?.resolve()
    await expect(failing).rejects.toThrow('the connection is lost')
    expect(await Promise.all(waiting)).toMatchObject([{ count: 1 }, { count: 2 }])
    expect(made.statements).toBe(2)
    await expect(count(attempt)).resolves.toMatchObject({ count: 3 })
  })

  it('begin again at the moment the window ends, and tell when that is', async () => {
    const take = () => auth.auth.limits.take('login by known browser', 'grace@example.com')
    for (let at = 0; at < 10; at += 1) await take()
    auth.clock.advance('30s')
    await expect(take()).rejects.toMatchObject({ retryAfter: 30 })
    auth.clock.advance(29_999)
    await expect(take()).rejects.toMatchObject({ retryAfter: 1 })
    auth.clock.advance(1)
    await take()
  })

  it('keep no address and no name', async () => {
    await auth.auth.limits.take('login by known browser', 'secret@example.com')
    await auth.auth.limits.take('login by address', '192.0.2.77')
    const rows = await auth.auth.db.select().from(attempts)
    expect(rows.length).toBeGreaterThan(2)
    expect(JSON.stringify(rows)).not.toMatch(/secret|example|192\.0\.2/)
    // Keyed: with another secret the same subject is another row.
    const { db, cache, clock } = auth.auth
    const hits = new LimitHits(clock)
    const env = { ...auth.auth.env, SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'another secret' }
    await createLimits({ db, cache, clock, env, hits, table }).take(
      'login by known browser',
      'secret@example.com',
    )
    expect(await db.select().from(attempts)).toHaveLength(rows.length + 1)
  })

  it('forget the windows that have ended, and no other', async () => {
    const { db, limits, clock } = auth.auth
    await limits.take('login by known browser', 'old@example.com')
    auth.clock.advance('1m')
    await limits.take('login by known browser', 'new@example.com')
    await forgetAttempts(db, clock.now())
    const rows = await db.select().from(attempts)
    expect(rows.map((row) => row.windowEndsAt > clock.now())).toEqual(rows.map(() => true))
    expect(rows.length).toBeGreaterThan(0)
  })

  it('refuse every request while the database is out, with 503', async () => {
    const { cache, clock, env } = auth.auth
    const hits = new LimitHits(clock)
    const database = await createTestDatabase()
    const limits = createLimits({ db: database.db, cache, clock, env, hits, table })
    await database.drop()
    const failure = await limits
      .take('login by known browser', 'ada@example.com')
      .catch((error) => error)
    expect(databaseFailure(failure)).toMatchObject({ status: 503 })
  })

  it('ask nothing of the database for a window that is used up, until it ends', async () => {
    const { cache, env, db, clock } = auth.auth
    const hits = new LimitHits(clock)
    let statements = 0
    const counting = new Proxy(db, {
      get(of, name) {
        if (name === 'execute') statements += 1
        return Reflect.get(of, name)
      },
    })
    const limits = createLimits({ db: counting, cache, clock, env, hits, table })
    const take = () => limits.take('signup confirm by address', '192.0.2.66')
    for (let at = 0; at < 10; at += 1) await take()
    for (let at = 0; at < 5; at += 1) await expect(take()).rejects.toMatchObject({ status: 429 })
    expect(statements).toBe(11)
    auth.clock.advance('1m')
    await take()
    expect(statements).toBe(12)
  })

  it('are lifted by SVC_RATE_LIMIT=off', async () => {
    const { db, cache, clock, env } = auth.auth
    const hits = new LimitHits(clock)
    const lifted = createLimits({
      db,
      cache,
      clock,
      env: { ...env, SVC_RATE_LIMIT: false },
      hits,
      table,
    })
    for (let at = 0; at < 50; at += 1)
      await lifted.take('login by known browser', 'off@example.com')
  })
})

describe.skipIf(reason)(`limits in Redis${reason}`, () => {
  let auth: TestAuth
  let redis: Awaited<ReturnType<typeof startTestRedis>>
  testLimits(async () => {
    redis = await startTestRedis()
    auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on', CACHE_URL: redis.url } })
    const { cache } = auth.auth
    const stop = async () => {
      await auth.stop()
      await redis.stop()
    }
    return { auth, count: (attempt) => countInCache({ cache, prefix: 'svc:auth' }, attempt), stop }
  })

  it('begin again when the window has ended', async () => {
    const attempt = { id: 'short', windowMillis: 500, now: new Date() }
    const count = async () =>
      (await countInCache({ cache: auth.auth.cache, prefix: 'svc:auth' }, attempt)).count
    expect([await count(), await count()]).toEqual([1, 2])
    // Redis goes by its own clock.
    await expect.poll(count, { timeout: 5000 }).toBe(1)
  })

  it('leave nothing in the database', async () => {
    expect(await auth.auth.db.select().from(attempts)).toHaveLength(0)
  })

  it('refuse every request while Redis is out, with 503', async () => {
    await redis.kill()
    const sent = { target: 'ada@example.com', targetType: 'email', purpose: 'login' }
    expect(await auth.call('sendVerificationCode', sent)).toMatchObject({
      status: 503,
      body: { error: { code: 'ServiceUnavailableError' } },
    })
  })
})
