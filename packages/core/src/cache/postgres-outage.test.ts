import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { startTestPostgres, type TestPostgres } from '../database/test-postgres.ts'
import { createLogger } from '../observation/logger.ts'
import type { Cache } from './cache.ts'
import { connectCache, coreMigrations } from './server.ts'

const minute = 60_000

let server: TestPostgres
let cache: Cache
let lines: string[]

beforeAll(async () => {
  server = await startTestPostgres()
  await migrate(server, [coreMigrations], { log: createLogger({ level: 'silent' }) })
})
afterAll(() => server.stop())
beforeEach(async () => {
  lines = []
  const log = createLogger({ destination: { write: (line) => lines.push(line) } })
  cache = await connectCache('postgres:', { log, database: server })
})
afterEach(() => cache.close())

/** Everything a caller may ask for, at once; answers how long the slowest refusal took. */
async function refusals() {
  const began = performance.now()
  const asked = await Promise.allSettled([
    cache.get('key'),
    cache.set('key', 'value', minute),
    cache.setIfAbsent('key', 'value', minute),
    cache.spend('key', { sinceMillis: Date.now(), ttlMillis: minute }),
    cache.take('key'),
    cache.increment('key', minute),
    cache.delete('key'),
    cache.publish('news', 'message'),
    cache.subscribe('more', () => {}),
  ])
  const took = performance.now() - began
  for (const each of asked) {
    expect(each).toMatchObject({ status: 'rejected', reason: { name: 'ServiceUnavailableError' } })
  }
  expect(await cache.isUp()).toBe(false)
  return took
}

const back = () =>
  vi.waitFor(async () => expect([await cache.isUp(), cache.isListening]).toEqual([true, true]), {
    timeout: 8000,
  })

async function hears(got: string[]) {
  await cache.publish('news', 'again')
  await vi.waitFor(() => expect(got.at(-1)).toBe('again'))
}

describe('while PostgreSQL is down', () => {
  it('refuses everything within a second when it was killed, and is back when it is', async () => {
    await server.kill()
    expect(await refusals()).toBeLessThan(1000)
    expect(await refusals()).toBeLessThan(1000)
    expect(cache.isListening).toBe(false)
    await server.restart()
    await back()
    await cache.set('key', 'value', minute)
    expect(await cache.take('key')).toBe('value')
  })

  it('refuses everything within a second while it is stalled, and is back when it goes on', async () => {
    await cache.set('key', 'value', minute)
    server.pause()
    expect(await refusals()).toBeLessThan(1000)
    expect(await refusals()).toBeLessThan(1000)
    await wait(2500)
    expect(await refusals()).toBeLessThan(1000)
    server.resume()
    await back()
  })

  it('notices that a listening connection has gone silent, and hears again', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    server.pause()
    await vi.waitFor(() => expect(cache.isListening).toBe(false), 5000)
    server.resume()
    await back()
    await hears(got)
  })

  it('hears channels again after a crash, which empties the tables and counts from 1 again', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    for (let at = 0; at < 20; at++) await cache.publish('news', String(at))
    await cache.set('key', 'value', minute)
    await server.kill()
    await server.restart()
    await back()
    expect(await cache.get('key')).toBeNull()
    await hears(got)
    expect(got.filter((message) => message === 'again')).toHaveLength(1)
  })

  it('tells of each interruption once, when messages leave and arrive again', async () => {
    const got: string[] = []
    await cache.subscribe('news', (message) => got.push(message))
    const told: Promise<number>[] = []
    cache.onInterruption(() => told.push(cache.publish('news', 'back')))
    const outages = [
      { begin: () => server.kill(), end: () => server.restart() },
      { begin: async () => server.pause(), end: async () => server.resume() },
    ]
    for (const [at, { begin, end }] of outages.entries()) {
      await begin()
      await vi.waitFor(() => expect(cache.isListening).toBe(false), 5000)
      await wait(300)
      expect(told).toHaveLength(at)
      await end()
      await vi.waitFor(() => expect(told).toHaveLength(at + 1), 8000)
      expect(await told[at]).toBe(1)
      await vi.waitFor(() => expect(got).toHaveLength(at + 1))
    }
    await wait(1200)
    expect(told).toHaveLength(2)
  })

  it('does not run a refused command once the server is back', async () => {
    await server.kill()
    await expect(cache.increment('late', minute)).rejects.toMatchObject({ status: 503 })
    await server.restart()
    await back()
    expect(await cache.increment('late', minute)).toBe(1)
  })

  it('is logged once when it begins and once when it ends', async () => {
    await server.kill()
    await wait(1500)
    await server.restart()
    await back()
    const [lost, again, ...others] = lines
    expect(lost).toContain('the connection to the cache is lost')
    expect(again).toContain('the connection to the cache is back')
    expect(others).toEqual([expect.stringContaining('the cache lost its contents')])
  })

  it('tries no further once it is closed', async () => {
    await server.kill()
    await cache.close()
    await server.restart()
    await wait(1500)
    expect(lines.length).toBeLessThan(2)
    expect(cache.isListening).toBe(false)
    await expect(cache.get('key')).rejects.toMatchObject({ status: 503 })
    await expect(cache.publish('news', 'x')).rejects.toMatchObject({ status: 503 })
  })
})
