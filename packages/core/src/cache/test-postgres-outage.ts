import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { migrate } from '../database/migrate.ts'
import { startTestPostgres, type TestPostgres } from '../database/test-postgres.ts'
import { createLogger } from '../observation/logger.ts'
import type { Cache } from './cache.ts'
import { connectCache, coreMigrations } from './server.ts'

export const minute = 60_000

/** A PostgreSQL that a test may end, as the cache. */
export function useOutage() {
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
      expect(each).toMatchObject({
        status: 'rejected',
        reason: { name: 'ServiceUnavailableError' },
      })
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
  return {
    get server() {
      return server
    },
    get cache() {
      return cache
    },
    get lines() {
      return lines
    },
    refusals,
    back,
    hears,
  }
}
