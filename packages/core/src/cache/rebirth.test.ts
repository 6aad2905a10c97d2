import { Redis } from 'ioredis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLogger } from '../observation/logger.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { openSpending } from './postgres-spending.ts'
import { openStatements } from './postgres-statements.ts'
import { connectCache, coreMigrations } from './server.ts'
import { bornAt, lines, losses, minute, spentBefore } from './test-rebirth.ts'
import { redisProgram, startTestRedis } from './test-redis.ts'

const reason = redisProgram ? '' : ' (no redis-server on PATH)'

let stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop()
  stops = []
})
const log = createLogger({ destination: { write: (line) => lines.push(JSON.parse(line)) } })

async function openRedisCache(...flags: string[]) {
  const server = await startTestRedis(...flags)
  stops.push(() => server.stop())
  const cache = await connectCache(server.url, { log })
  stops.push(() => cache.close())
  return { server, cache }
}

describe.skipIf(reason)(`a Redis${reason}`, () => {
  it('that starts empty knows nothing of what was spent before', async () => {
    const { server, cache } = await openRedisCache()
    const outcome = await spentBefore(cache, async () => {
      await server.kill()
      await server.restart()
    })
    expect(outcome).toBe('unknown')
  })

  it('that loses all says so once in each process, and that limits begin again (F24)', async () => {
    const { server, cache } = await openRedisCache()
    const there = await connectCache(server.url, { log })
    stops.push(() => there.close())
    for (let at = 1; at <= 3; at++) expect(await cache.increment('limit', minute)).toBe(at)
    lines.length = 0
    await server.kill()
    await server.restart()
    await vi.waitFor(async () => expect(await cache.increment('limit', minute)).toBe(1), 8000)
    await vi.waitFor(() => expect(losses()).toEqual([2, 0]))
    await cache.increment('limit', minute)
    await bornAt(cache)
    await bornAt(there)
    expect(losses()).toEqual([2, 0])
  })

  it('that was flushed knows nothing of it', async () => {
    const { server, cache } = await openRedisCache()
    const admin = new Redis(server.url)
    expect(await spentBefore(cache, () => admin.flushall())).toBe('unknown')
    admin.disconnect()
  })

  it('that starts from a snapshot lacks the latest, so it knows nothing of it, and says so (F24)', async () => {
    const { server, cache } = await openRedisCache('--dbfilename', 'dump.rdb')
    const admin = new Redis(server.url)
    admin.on('error', () => {})
    await bornAt(cache)
    await admin.save()
    lines.length = 0
    const outcome = await spentBefore(cache, async () => {
      await server.kill()
      await server.restart()
    })
    expect(outcome).toBe('unknown')
    expect(losses()).toEqual([0, 1])
    admin.disconnect()
  })

  it('is known again when only the connection was lost', async () => {
    const { server, cache } = await openRedisCache()
    const admin = new Redis(server.url)
    lines.length = 0
    const outcome = await spentBefore(cache, () => admin.call('CLIENT', 'KILL', 'TYPE', 'normal'))
    expect(outcome).toBe('again')
    expect(losses()).toEqual([0, 0])
    admin.disconnect()
  })

  it('that takes another id while connections last is born once, for all instances', async () => {
    const { server, cache } = await openRedisCache('--enable-debug-command', 'yes')
    await bornAt(cache)
    await server.call('DEBUG', 'CHANGE-REPL-ID')
    const there = await connectCache(server.url, { log })
    stops.push(() => there.close())
    const born = await bornAt(there)
    for (const each of [cache, there, cache, there]) expect(await bornAt(each)).toBe(born)
  })

  it('that has become the primary knows nothing of what it may have missed', async () => {
    const { server, cache } = await openRedisCache()
    const replica = await startTestRedis('--replicaof', '127.0.0.1', String(server.port))
    stops.push(() => replica.stop())
    const admin = new Redis(replica.url)
    await bornAt(cache)
    await vi.waitFor(async () => expect(await admin.keys('svc:born')).toHaveLength(1), 8000)
    const before = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await admin.replicaof('NO', 'ONE')
    admin.disconnect()
    const promoted = await connectCache(replica.url, { log })
    stops.push(() => promoted.close())

    expect(await bornAt(promoted)).toBeGreaterThan(before)
  })

  it('warns when it may evict spent ids', async () => {
    lines.length = 0
    await openRedisCache('--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru')
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringMatching(/set maxmemory-policy to noeviction/),
    ])
    lines.length = 0
    await openRedisCache('--maxmemory', '100mb', '--maxmemory-policy', 'noeviction')
    await openRedisCache('--maxmemory-policy', 'allkeys-lru')
    expect(lines).toEqual([])
  })
})

describe('a cache in PostgreSQL', () => {
  it('that is born while a first request is looked at takes it for the first, and the next for a replay', async () => {
    const database = await createTestDatabase({ sources: [coreMigrations] })
    stops.push(() => database.drop())
    const statements = openStatements(database.url)
    stops.push(() => statements.close())
    const onBorn = () => {}
    let isEmptied = false
    const run: typeof statements.run = async (statement) => {
      if (statement.name !== 'svc_cache_spend' || isEmptied) return statements.run(statement)
      isEmptied = true
      // A takeover empties the table, and another request marks it.
      await database.pool.query('delete from svc_core.cache_entries')
      const answer = await statements.run(statement)
      await openSpending(statements, { onBorn }).seeBirth()
      return answer
    }
    const { spend } = openSpending({ run }, { onBorn })
    const given = { sinceMillis: Date.now() + minute, ttlMillis: minute }
    expect(await spend('id', given)).toMatchObject({ outcome: 'first' })
    expect(await spend('id', given)).toMatchObject({ outcome: 'again' })
  })
})
