import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { connectCache } from './server.ts'
import { redisProgram, startTestRedis, type TestRedis } from './test-redis.ts'

const log = createLogger({ level: 'silent' })
const password = 'p@ss/word%'
const reason = redisProgram ? '' : ' (no redis-server on PATH)'

/** The sentence that a wrong address is answered with. */
async function sentence(url: string) {
  const error = await connectCache(url, { log }).then(
    (cache) => cache.close(),
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'CacheConnectionError' })
  return error instanceof Error ? error.message : ''
}

describe('a wrong CACHE_URL', () => {
  it.each([
    'memcached://localhost',
    'redis:',
    'redis://localhost/zero',
    'redis://localhost?keyPrefix=a',
    'redis://user:%@localhost',
    'not an address',
  ])('is answered with how to write one: %s', async (url) => {
    expect(await sentence(url)).toMatch(/^CACHE_URL is not understood: write redis:/)
  })

  it.each(['postgres://me:hunter2@localhost/cache', 'postgresql:', 'postgres:cache'])(
    'is told that the cache can be in no database but its own: %s',
    async (url) => {
      const said = await sentence(url)
      expect(said).toMatch(/^CACHE_URL cannot name a database: write postgres: only/)
      expect(said).not.toContain('hunter2')
    },
  )

  it('is told that there is no database to be in', async () => {
    expect(await sentence('postgres:')).toMatch(/it has none: set DATABASE_URL\.$/)
  })

  it('is told that nothing answers there', async () => {
    expect(await sentence('redis://127.0.0.1:1')).toBe(
      'Nothing answers at 127.0.0.1:1: start Redis or Valkey there, or correct CACHE_URL.',
    )
  })

  it('is told that there is no such host', async () => {
    expect(await sentence('redis://nowhere.invalid')).toMatch(/^The host .* is unknown: correct/)
  })

  describe.skipIf(reason)(`of a server that is up${reason}`, () => {
    let server: TestRedis
    beforeAll(async () => {
      server = await startTestRedis('--requirepass', password)
    })
    afterAll(() => server.stop())
    const withUser = (user: string) => server.url.replace('//', `//${user}@`)

    it('works with a percent-encoded password, and keeps prefixes apart', async () => {
      const address = withUser(`:${encodeURIComponent(password)}`)
      const shop = await connectCache(`${address}/3?prefix=shop:`, { log })
      const blog = await connectCache(`${address}/3?prefix=blog:`, { log })
      const plain = await connectCache(`${address}/3`, { log })
      const heard: string[] = []
      await shop.subscribe('news', (message) => heard.push(message))
      await shop.set('key', 'value', 60_000)
      expect(await blog.get('key')).toBeNull()
      expect(await plain.get('shop:key')).toBe('value')
      expect(await blog.publish('news', 'blog')).toBe(0)
      expect(await plain.publish('shop:news', 'shop')).toBe(1)
      await expect.poll(() => heard).toEqual(['shop'])
      await Promise.all([shop.close(), blog.close(), plain.close()])
    })

    it('is told that the password is refused, without repeating it', async () => {
      for (const user of [':wrongsecret@', 'someone:wrongsecret@', '']) {
        const said = await sentence(server.url.replace('//', `//${user}`))
        expect(said).toMatch(/refuses the user or password: correct CACHE_URL/)
        expect(said).not.toContain('wrongsecret')
      }
    })

    it('is told to try without TLS', async () => {
      expect(await sentence(server.url.replace('redis:', 'rediss:'))).toMatch(
        /does not answer .* whether it takes redis:/,
      )
    })

    it('is told that there is no such database', async () => {
      const user = `:${encodeURIComponent(password)}`
      expect(await sentence(`${withUser(user)}/99`)).toMatch(/no database with that number/)
    })

    it('is told within 5 s that a stalled server does not answer', async () => {
      const began = performance.now()
      server.pause()
      expect(await sentence(server.url)).toMatch(/does not answer .*: check the address/)
      server.resume()
      expect(performance.now() - began).toBeLessThan(5000)
    })
  })
})
