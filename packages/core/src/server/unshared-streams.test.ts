import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { defineServer, type ServerDefinition } from '../definition/define-server.ts'
import { defineEvent } from '../events/event.ts'
import { defineEventRouter } from '../events/event-router.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'

const router = defineEventRouter({ noticeAdded: defineEvent('notice.added') })
const streams = defineServer().events(router)

let database: TestDatabase
let servers: TestServer[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  servers = []
})

async function start(definition: ServerDefinition, env = {}) {
  const server = await startTestServer(definition, { env: { DATABASE_URL: database.url, ...env } })
  servers.push(server)
  return server
}

const warnings = ({ logged }: TestServer) => logged.filter(({ level }) => level === 'warn')

describe('a server that streams events without a shared cache', () => {
  it('is silent alone, and says what to do once another instance is there (R25)', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const first = await start(streams)
    expect(warnings(first)).toEqual([])
    const second = await start(streams)
    expect(warnings(second)).toHaveLength(1)
    expect(warnings(second)[0]?.msg).toMatch(
      /^another instance .* set CACHE_URL to redis:.*postgres:/,
    )

    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    await vi.waitFor(() => expect(warnings(first)).toHaveLength(1))
    expect(warnings(second)).toHaveLength(1)
  })

  it('is silent again when the other one has stopped', async () => {
    await (await start(streams)).stop()
    servers = []
    expect(warnings(await start(streams))).toEqual([])
  })

  it('is silent beside servers that do not stream, or keep their events to themselves', async () => {
    await start(defineServer())
    await start(defineServer().events(router, { multiInstance: false }))
    expect(warnings(await start(streams))).toEqual([])
  })
})

it('says nothing where the cache is shared: CACHE_URL=postgres: is the database', async () => {
  const env = { CACHE_URL: 'postgres:' }
  const [here, there] = [await start(streams, env), await start(streams, env)]
  expect([...warnings(here), ...warnings(there)]).toEqual([])
  await here.infrastructure.cache.set('key', 'value', 60_000)
  expect(await there.infrastructure.cache.get('key')).toBe('value')
})
