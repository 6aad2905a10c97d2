import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryCache } from '../../cache/memory.ts'
import { startTestRedis, type TestRedis } from '../../cache/test-redis.ts'
import { noRedis } from '../../events/test-broadcast.ts'
import { type StreamToken, systemClock } from '../../index.ts'
import { createLogger } from '../../observation/logger.ts'
import { createVirtualClock } from '../../testing/virtual-clock.ts'
import { useTestStreaming } from '../test-streaming.ts'
import { createStreamTokens } from './create-stream-tokens.ts'
import { createCacheTokenStore, createMemoryTokenStore } from './token-store.ts'

// Servers stop before their caches do: what is registered last runs first.
const caches: TestRedis[] = []
afterEach(async () => {
  for (const cache of caches.splice(0)) await cache.stop()
})
const { start } = useTestStreaming()

async function redis() {
  const cache = await startTestRedis()
  caches.push(cache)
  return cache
}

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

  it('is destroyed by the code that made it; its timer does not keep the process alive (E-066)', () => {
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

describe.skipIf(noRedis)(`with a shared cache${noRedis}`, () => {
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
    const [key = '', ...others] = await reader.keys('*sse:*')
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
