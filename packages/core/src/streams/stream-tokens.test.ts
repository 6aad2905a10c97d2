import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryCache } from '../cache/memory.ts'
import { redisProgram, startTestRedis, type TestRedis } from '../cache/test-redis.ts'
import { createApi } from '../call/create-api.ts'
import { eventRouteMap } from '../events/token-path.ts'
import {
  defineEvent,
  defineEventRouter,
  defineMiddleware,
  defineRouter,
  defineServer,
  type EventStreamOptions,
  route,
  type StreamToken,
  systemClock,
  t,
} from '../index.ts'
import { createLogger } from '../infrastructure/logger.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { createStreamTokens } from './create-stream-tokens.ts'
import { openTestStream } from './test-stream.ts'
import { createCacheTokenStore, createMemoryTokenStore } from './token-store.ts'

const soon = { interval: 5, timeout: 5000 }

const running: TestServer[] = []
const caches: TestRedis[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const server of running.splice(0)) await server.stop()
  for (const cache of caches.splice(0)) await cache.stop()
})

type Auth = Partial<NonNullable<EventStreamOptions['auth']>>

const signedIn = defineMiddleware('signedIn', async (c, next) => {
  const user = c.req.header('x-user')
  if (user) c.set('userId', user)
  await next()
})

const tick = defineEvent('tick', t.Object({ n: t.Integer() }))
const tock = defineEvent('tock', t.Object({ n: t.Integer() }))
const router = defineEventRouter({ tick, tock })

async function start(auth: Auth = {}, env = {}) {
  const definition = defineServer()
    .use([signedIn])
    .events(router, { auth: { enabled: true, ...auth } })
  const server = await startTestServer(definition, { env })
  running.push(server)
  const issue = (user = 'u1') =>
    server.fetch('/events/token', { method: 'POST', headers: { 'x-user': user } })
  const token = async (user?: string) => {
    const answer = (await (await issue(user)).json()) as { token: string }
    return answer.token
  }
  const open = (given: string, events = 'tick,tock') =>
    openTestStream(`${server.url}/events/stream?events=${events}&token=${given}`)
  return { ...server, issue, token, open }
}

const tokenRouter = defineRouter({
  eventsToken: route.post('/events/token').handler(() => ({ token: '' })),
})

async function redis() {
  const cache = await startTestRedis()
  caches.push(cache)
  return cache
}

describe('without auth', () => {
  it('streams need no token, and nothing issues one (E-048, E-049)', async () => {
    for (const options of [{}, { auth: { enabled: false } }]) {
      const server = await startTestServer(defineServer().events(router, options))
      running.push(server)
      const stream = await openTestStream(`${server.url}/events/stream?events=tick`)
      expect(stream.status).toBe(200)
      expect((await server.fetch('/events/token', { method: 'POST' })).status).toBe(404)
    }
  })
})

describe('issuing a token', () => {
  it('is POST on the token path, without a body, and answers the token (E-049)', async () => {
    const { issue } = await start()
    const answer = await issue()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('runs behind the middleware of the server and of the router (E-050)', async () => {
    const order: string[] = []
    const passing = (name: string) =>
      defineMiddleware(name, async (c, next) => {
        order.push(name)
        if (c.req.header('x-refused') === name) return c.json({ refusedBy: name }, 418)
        c.set('userId', 'u1')
        return next()
      })
    const definition = defineServer()
      .use([passing('server')])
      .routes(defineRouter({ mine: route.get('/mine').handler(() => 1) }).use([passing('router')]))
      .events(router, { auth: { enabled: true } })
    const server = await startTestServer(definition)
    running.push(server)
    const ask = (headers = {}) => server.fetch('/events/token', { method: 'POST', headers })
    expect((await ask()).status).toBe(200)
    expect(order).toEqual(['server', 'router'])
    expect((await ask({ 'x-refused': 'server' })).status).toBe(418)
    expect((await ask({ 'x-refused': 'router' })).status).toBe(418)
  })

  it('is `eventsToken` of a client that has merged its route map (E-051)', async () => {
    const { url } = await start()
    expect(eventRouteMap).toEqual({ eventsToken: { method: 'POST', path: '/events/token' } })
    const sign = async () => ({ 'x-user': 'u1' })
    const api = createApi<typeof tokenRouter>({
      routeMap: { ...eventRouteMap },
      baseUrl: url,
      sign,
    })
    expect(await api.eventsToken.call()).toEqual({ token: expect.any(String) })
  })

  it('is for the account that is signed in, or for whom `getSubject` says (E-052)', async () => {
    const asked: string[] = []
    const authorize = (subject: string, events: string[]) => {
      asked.push(subject)
      return events
    }
    const standard = await start({ authorize })
    await standard.open(await standard.token('u7'))
    const own = await start({
      authorize,
      getSubject: async (c) => c.raw.req.header('x-user')?.toUpperCase(),
    })
    await own.open(await own.token('u8'))
    expect(asked).toEqual(['u7', 'U8'])
  })

  it.each([
    ['nobody is signed in', {}],
    ['getSubject answers null', { getSubject: () => null }],
    ['getSubject answers nothing', { getSubject: async () => undefined }],
    ['getSubject answers an empty name', { getSubject: () => '' }],
  ])('answers 401 when %s (E-053, E-046)', async (_, auth: Auth) => {
    const { issue } = await start(auth)
    const answer = await issue('')
    expect(answer.status).toBe(401)
    const { __type, error } = await answer.json()
    expect([__type, error.code]).toEqual(['UnauthorizedError', 'UnauthorizedError'])
  })
})

describe('opening a stream', () => {
  it('is refused with 401 without a token, or with one that was never issued (E-054, E-046)', async () => {
    const { open, url, token } = await start()
    const several = `${await token()}&token=${await token()}`
    for (const given of ['', 'x', 'A'.repeat(43), '__proto__x', 'x'.repeat(4000), several]) {
      const { status, refusal } = await open(given)
      expect([given, status, refusal.error.code]).toEqual([given, 401, 'UnauthorizedError'])
    }
    expect((await openTestStream(`${url}/events/stream?events=tick`)).status).toBe(401)
  })

  it('spends its token: a second use answers 401 (E-055)', async () => {
    const { open, token } = await start()
    const given = await token()
    expect((await open(given)).status).toBe(200)
    expect((await open(given)).status).toBe(401)
  })

  it('succeeds once when sixteen use one token at the same time (E-055)', async () => {
    const { open, token } = await start()
    const given = await token()
    const streams = await Promise.all(Array.from({ length: 16 }, () => open(given)))
    expect(streams.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(streams.filter(({ status }) => status === 401)).toHaveLength(15)
  })

  it('takes a token for as long as it lives: 30 s, or `tokenTtl` (E-054, E-060)', async () => {
    for (const [auth, life] of [
      [{}, 30_000],
      [{ tokenTtl: 500 }, 500],
    ] as const) {
      const { open, token, clock } = await start(auth)
      const [early, late] = [await token(), await token()]
      clock.advance(life - 1)
      expect((await open(early)).status).toBe(200)
      clock.advance(1)
      expect((await open(late)).status).toBe(401)
    }
  })

  it('streams what `authorize` allows of what was requested (E-056)', async () => {
    const authorize = vi.fn(async () => ['tock', 'never-asked-for'])
    const { open, token } = await start({ authorize })
    const stream = await open(await token())
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads('tock')).toEqual([{ n: 2 }]), soon)
    expect(stream.payloads()).toEqual([{ n: 2 }])
    expect(stream.frames[0]?.data).toMatchObject({ events: ['tock'] })
    expect(authorize.mock.calls).toEqual([['u1', ['tick', 'tock']]])
  })

  it.each([
    ['nothing', []],
    ['only what was not requested', ['tick']],
  ])('is refused with 403 when `authorize` allows %s (E-057, E-046)', async (_, allowed) => {
    const { open, token, infrastructure } = await start({ authorize: () => allowed })
    const { status, refusal } = await open(await token(), 'tock')
    expect([status, refusal.__type]).toEqual([403, 'ForbiddenError'])
    expect(infrastructure.streams.size).toBe(0)
  })

  it('fails with 500, and tells nobody why, when `authorize` throws', async () => {
    const authorize = () => {
      throw new Error('a secret reason')
    }
    const { open, token, infrastructure } = await start({ authorize })
    const { status, refusal } = await open(await token())
    expect(status).toBe(500)
    expect(JSON.stringify(refusal)).not.toContain('secret')
    expect(infrastructure.streams.size).toBe(0)
  })

  it('looks at names, then at the token, then at who may have them; 400 spends nothing (E-067)', async () => {
    let allowed = [] as string[]
    const { open, token } = await start({ authorize: () => allowed })
    expect((await open('never-issued', 'nothing')).status).toBe(400)
    expect((await open('never-issued', 'tick')).status).toBe(401)
    const given = await token()
    expect((await open(given, 'nothing')).status).toBe(400)
    expect((await open(given, 'tick')).status).toBe(403)
    allowed = ['tick']
    expect((await open(given, 'tick')).status).toBe(401)
  })
})

describe('a filter', () => {
  it('keeps an emission from those to whom it answers false, and from no other (E-058)', async () => {
    const filter = {
      tick: (subject: string, { n }: { n: number }) => n % 2 === 0 || subject === 'u1',
    }
    const { open, token } = await start({ filter })
    const [first, second] = [await open(await token('u1')), await open(await token('u2'))]
    for (let n = 1; n <= 4; n++) await tick.emit({ n })
    await vi.waitFor(() => expect(first?.payloads()).toHaveLength(4), soon)
    await vi.waitFor(() => expect(second?.payloads()).toEqual([{ n: 2 }, { n: 4 }]), soon)
  })

  it('of one event is none of another (E-059)', async () => {
    const { open, token } = await start({ filter: { tick: () => false } })
    const stream = await open(await token())
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 2 }]), soon)
  })

  it('that throws, or answers later, lets nothing through', async () => {
    const filter = {
      tick: () => {
        throw new Error('a bug')
      },
      tock: (async () => true) as unknown as () => boolean,
    }
    const done = defineEvent('done')
    const definition = defineServer()
      .use([signedIn])
      .events(defineEventRouter({ tick, tock, done }), { auth: { enabled: true, filter } })
    const server = await startTestServer(definition)
    running.push(server)
    const issued = await server.fetch('/events/token', {
      method: 'POST',
      headers: { 'x-user': 'u1' },
    })
    const { token } = await issued.json()
    const stream = await openTestStream(
      `${server.url}/events/stream?events=tick,tock,done&token=${token}`,
    )
    await tick.emit({ n: 1 })
    await tock.emit({ n: 2 })
    await done.emit()
    await vi.waitFor(() => expect(stream.payloads('done')).toEqual([null]), soon)
    expect(stream.payloads()).toEqual([null])
    expect(server.logged).toContainEqual(
      expect.objectContaining({ level: 'error', msg: 'a filter of a stream failed' }),
    )
  })
})

describe('recipients', () => {
  it('are asked once an emission, and nobody else gets it', async () => {
    const recipients = vi.fn(({ n }: { n: number }) => (n === 1 ? 'u1' : ['u1', 'u2', 'u9']))
    const { open, token } = await start({ recipients: { tick: recipients } })
    const streams = await Promise.all(
      ['u1', 'u1', 'u2', 'u3'].map(async (user) => open(await token(user))),
    )
    await tick.emit({ n: 1 })
    await tick.emit({ n: 2 })
    await tock.emit({ n: 3 })
    const got = [[1, 2, 3], [1, 2, 3], [2, 3], [3]]
    await vi.waitFor(
      () =>
        expect(streams.map((each) => each.payloads())).toEqual(
          got.map((ns) => ns.map((n) => ({ n }))),
        ),
      soon,
    )
    expect(recipients).toHaveBeenCalledTimes(2)
  })

  it('that cannot be told are nobody', async () => {
    const recipients = {
      tick: ({ n }: { n: number }) => {
        if (n === 1) throw new Error('a bug')
        return (n === 2 ? Promise.resolve('u1') : undefined) as unknown as string
      },
    }
    const { open, token, logged } = await start({ recipients })
    const stream = await open(await token())
    for (const n of [1, 2, 3]) await tick.emit({ n })
    await tock.emit({ n: 4 })
    await vi.waitFor(() => expect(stream.payloads()).toEqual([{ n: 4 }]), soon)
    expect(logged).toContainEqual(expect.objectContaining({ level: 'error', event: 'tick' }))
  })
})

describe('the store', () => {
  it('may be the application’s own, and holds token, subject and expiry (E-061, E-062)', async () => {
    const tokens = new Map<string, StreamToken>()
    const store = {
      set: vi.fn(async (token: string, data: StreamToken) => void tokens.set(token, data)),
      consume: vi.fn(async (token: string) => {
        const data = tokens.get(token) ?? null
        tokens.delete(token)
        return data
      }),
      cleanup: vi.fn(),
    }
    const { open, token, clock } = await start({ store, tokenTtl: 1000 })
    const given = await token()
    const expiresAt = clock.now().getTime() + 1000
    expect([...tokens]).toEqual([[given, { token: given, subject: 'u1', expiresAt }]])
    expect((await open(given)).status).toBe(200)
    expect((await open(given)).status).toBe(401)
    const late = await token()
    clock.advance(1000)
    expect((await open(late)).status).toBe(401)
  })

  it('is cleaned up every minute, also when that fails once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const cleanup = vi.fn().mockRejectedValueOnce(new Error('down'))
    await start({ store: { set: () => {}, consume: () => null, cleanup } })
    vi.advanceTimersByTime(60_000)
    await Promise.resolve()
    vi.advanceTimersByTime(60_000)
    expect(cleanup).toHaveBeenCalledTimes(2)
  })

  it('in memory refuses with 503 what it has no room for, and makes room by forgetting the expired', () => {
    const clock = createVirtualClock()
    const store = createMemoryTokenStore(clock)
    const data = { token: '', subject: 'u', expiresAt: clock.now().getTime() + 30_000 }
    for (let n = 0; n < 100_000; n++) void store.set(`t${n}`, data)
    expect(() => store.set('more', data)).toThrow(expect.objectContaining({ status: 503 }))
    expect(store.consume('t0')).toBe(data)
    clock.advance('30s')
    void store.cleanup()
    expect(() => store.set('more', data)).not.toThrow()
  })

  describe.each(['memory', 'cache'])('of the %s', (kind) => {
    it('gives a token once, and none that has expired (E-062)', async () => {
      const clock = createVirtualClock()
      const cache = createMemoryCache({ log: createLogger({ level: 'silent' }) })
      const store =
        kind === 'memory' ? createMemoryTokenStore(clock) : createCacheTokenStore(cache, clock)
      const data = { token: 'a', subject: 'u', expiresAt: clock.now().getTime() + 1000 }
      await store.set('a', data)
      await store.set('b', { ...data, token: 'b' })
      expect(await store.consume('a')).toEqual(data)
      expect(await store.consume('a')).toBeNull()
      expect(await store.consume('__proto__')).toBeNull()
      clock.advance(1000)
      expect(await store.consume('b')).toBeNull()
      await cache.close()
    })
  })

  it('in memory is that of one server: another one does not know the token (E-063)', async () => {
    const [one, other] = [await start(), await start()]
    expect((await other.open(await one.token())).status).toBe(401)
  })
})

describe('a manager of the application’s', () => {
  it.each(['object', 'lazy function'])('as %s replaces store and life (E-065)', async (kind) => {
    const clock = createVirtualClock()
    const manager = createStreamTokens({ clock, ttl: 90_000 })
    const store = { set: vi.fn(), consume: vi.fn(), cleanup: vi.fn() }
    const tokenManager = kind === 'object' ? manager : vi.fn(() => manager)
    const server = await start({ tokenManager, store, tokenTtl: 1 })
    const given = await server.token()
    server.clock.advance('60s')
    clock.advance('60s')
    expect((await server.open(given)).status).toBe(200)
    expect((await server.open(given)).status).toBe(401)
    const { token } = await manager.issue({ subject: 'u2' })
    expect((await server.open(token)).status).toBe(200)
    expect(await manager.consume(await server.token())).toMatchObject({ subject: 'u1' })
    expect(store.set).not.toHaveBeenCalled()
    manager.destroy()
  })

  it('is asked for when the first token is, not before', async () => {
    const tokenManager = vi.fn(() => createStreamTokens())
    const { issue } = await start({ tokenManager })
    expect(tokenManager).not.toHaveBeenCalled()
    await issue()
    expect(tokenManager).toHaveBeenCalled()
  })

  it('is destroyed by whoever made it; its timer does not keep the process alive (E-066)', () => {
    const before = process.getActiveResourcesInfo()
    const interval = vi.spyOn(globalThis, 'setInterval')
    const manager = createStreamTokens()
    expect(process.getActiveResourcesInfo()).toEqual(before)
    const timer = interval.mock.results[0]?.value as NodeJS.Timeout & { _destroyed: boolean }
    manager.destroy()
    expect(timer._destroyed).toBe(true)
  })

  it('that fails is no refusal: 503 and 500, not 401', async () => {
    const issue = async () => ({ token: 't' })
    const consume = () => Promise.reject(new Error('down'))
    const { open } = await start({ tokenManager: { issue, consume } })
    expect((await open('t')).status).toBe(500)
  })
})

describe.skipIf(!redisProgram)('with a shared cache', () => {
  it('a token of one server opens a stream of another, once (E-063, E-064)', async () => {
    const { url } = await redis()
    const [one, other] = [await start({}, { CACHE_URL: url }), await start({}, { CACHE_URL: url })]
    for (let round = 0; round < 20; round++) {
      const given = await one.token()
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => (n % 2 ? one : other).open(given)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(7)
      for (const stream of answers) stream.close()
    }
  })

  it('a token is kept under `sse:token:`, as a hash, for as long as it lives (E-064)', async () => {
    const { url } = await redis()
    const { token, clock } = await start({ tokenTtl: 5000 }, { CACHE_URL: url })
    clock.set(systemClock.now())
    const given = await token()
    const reader = new Redis(url)
    const [key = '', ...others] = await reader.keys('*')
    expect([key, others]).toEqual([expect.stringMatching(/sse:token:[\w-]{43}$/), []])
    const life = await reader.pttl(key)
    expect(life > 0 && life <= 5000).toBe(true)
    expect(`${key} ${await reader.get(key)}`).not.toContain(given)
    reader.disconnect()
  })

  it('answers 503, not 401, while the cache is down', async () => {
    const cache = await redis()
    const { open, token, issue } = await start({}, { CACHE_URL: cache.url })
    const given = await token()
    await cache.kill()
    const { status, refusal } = await open(given)
    expect([status, refusal.__type]).toEqual([503, 'ServiceUnavailableError'])
    expect((await issue()).status).toBe(503)
  })
})

describe('the log', () => {
  it('holds no token, whatever became of its request', async () => {
    const failing = () => Promise.reject(new Error('down'))
    const tokenManager = { issue: async () => ({ token: 'never-to-be-logged' }), consume: failing }
    const { open, token, logged, url } = await start({ tokenManager })
    const given = await token()
    expect((await open(given)).status).toBe(500)
    expect((await open(given, 'nothing')).status).toBe(400)
    await fetch(`${url}/events/stream?token=${given}&events=tick`)
    expect(logged.length).toBeGreaterThan(1)
    expect(JSON.stringify(logged)).not.toContain(given)
  })
})
