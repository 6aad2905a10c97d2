import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { coreMigrations } from '../cache/server.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineEvent, defineEventRouter, t } from '../index.ts'
import { createLogger } from '../observation/logger.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { databaseFailure } from './failures.ts'
import { connectDatabase, type Database, migrate, migrationStatus } from './server.ts'
import { startTestPooler, type TestPooler, poolerVersion as version } from './test-pgbouncer.ts'

const log = createLogger({ level: 'silent' })
const missing = version ? '' : ' [not run: this machine has no pgbouncer]'
const tooOld = version < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

let direct: TestDatabase
const cleanUp: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  direct = await createTestDatabase()
})
afterAll(() => direct.drop())
afterEach(async () => {
  for (const run of cleanUp.splice(0).toReversed()) await run()
})

async function pooler(options: Parameters<typeof startTestPooler>[1]): Promise<TestPooler> {
  const started = await startTestPooler(direct.url, options)
  cleanUp.push(() => started.stop())
  return started
}

async function open(url: string, directUrl?: string): Promise<Database> {
  const database = await connectDatabase(url, { log, ...(directUrl && { directUrl }) })
  cleanUp.push(() => database.close())
  return database
}

describe.skipIf(!version)(`a pooler in transaction mode${missing}`, () => {
  it('that loses prepared statements is refused, with what to use (F28)', async () => {
    const { url } = await pooler({
      mode: 'transaction',
      ...(version >= 1.21 && { preparedStatements: 0 }),
    })
    await expect(open(url)).rejects.toThrow(
      'The pooler before PostgreSQL loses prepared statements: use PgBouncer 1.21 or newer with max_prepared_statements above 0',
    )
  })
})

describe.skipIf(!version)(`a pooler in session mode${missing}`, () => {
  it('is as good as the database itself (F28)', async () => {
    const { url } = await pooler({ mode: 'session' })
    const database = await open(url)
    expect(await database.keepsSessions()).toBe(true)
    await expect(database.requireSessions('This')).resolves.toBeUndefined()
  })
})

describe.skipIf(version < 1.21)(
  `PgBouncer in transaction mode${tooOld}`,
  { timeout: 60_000 },
  () => {
    const shared = { mode: 'transaction', preparedStatements: 100 } as const

    it('serves prepared statements, transactions and migrations of two instances at once (F28)', async () => {
      const { url } = await pooler(shared)
      const [here, there] = await Promise.all([open(url), open(url)])
      const both = [here, there].map((each) => migrate(each, [coreMigrations], { log }))
      await Promise.all(both)
      const status = await migrationStatus(here, [coreMigrations])
      expect(status.every(({ state }) => state === 'applied')).toBe(true)
      const asked = Array.from({ length: 200 }, (_, at) => {
        const name = `each_${at % 20}`
        const text = `select ${at % 20} + $1::int as sum`
        return (at % 2 ? here : there).pool.query({ name, text, values: [at] })
      })
      const sums = (await Promise.all(asked)).map(({ rows }) => rows[0].sum)
      expect(sums).toEqual(sums.map((_, at) => (at % 20) + at))
    })

    it('has no connection that stays: what needs one is refused without DATABASE_URL_DIRECT, and works with it (F28)', async () => {
      const { url } = await pooler(shared)
      const pooled = await open(url)
      expect(await pooled.keepsSessions()).toBe(false)
      await expect(pooled.requireSessions('Live events')).rejects.toThrow(
        'Live events need a permanent connection, but the pooler of DATABASE_URL shares its connections: set DATABASE_URL_DIRECT to the address of PostgreSQL itself.',
      )
      const both = await open(url, direct.url)
      expect(await both.keepsSessions()).toBe(true)
    })

    it('is not enough for a server with a history or CACHE_URL=postgres:, which start with both addresses and hear each other (F28)', async () => {
      const { url } = await pooler(shared)
      const changed = defineEvent(`changed.${randomUUID()}`, t.Object({ n: t.Integer() }))
      const definition = defineServer().events(
        defineEventRouter({ changed }, { history: { size: 100, ttl: 60_000 } }),
        {},
      )
      const env = { NODE_ENV: 'test', SVC_LOG_LEVEL: 'silent', DATABASE_URL: url }
      await expect(startServer(definition, { env, port: 0 })).rejects.toThrow(
        'set DATABASE_URL_DIRECT',
      )
      await expect(
        startServer(defineServer(), { env: { ...env, CACHE_URL: 'postgres:' }, port: 0 }),
      ).rejects.toThrow('set DATABASE_URL_DIRECT')

      const whole = { ...env, DATABASE_URL_DIRECT: direct.url, CACHE_URL: 'postgres:' }
      const servers: RunningServer[] = []
      for (let at = 0; at < 2; at++) {
        const server = await startServer(definition, { env: whole, port: 0 })
        cleanUp.push(server.stop)
        servers.push(server)
      }
      const [here, there] = servers
      const got: string[] = []
      await there?.infrastructure.cache.subscribe('news', (message) => got.push(message))
      await here?.infrastructure.cache.publish('news', 'hello')
      await vi.waitFor(() => expect(got).toEqual(['hello']), 5000)
    })

    it('is back by itself after a restart under load (F28)', async () => {
      const pooled = await pooler(shared)
      const database = await open(pooled.url)
      const ask = () => database.pool.query({ name: 'under_load', text: 'select 1 as one' })
      const load = Promise.allSettled(Array.from({ length: 200 }, () => ask()))
      await pooled.restart()
      const failures = (await load).flatMap((each) =>
        each.status === 'rejected' ? [databaseFailure(each.reason)?.status] : [],
      )
      expect(failures.filter((status) => status !== 503)).toEqual([])
      await vi.waitFor(async () => expect((await ask()).rows).toEqual([{ one: 1 }]), 5000)
      expect(await database.isUp()).toBe(true)
    })
  },
)

describe('DATABASE_URL_DIRECT', () => {
  it('is refused when it leads to another database', async () => {
    const other = await createTestDatabase()
    cleanUp.push(() => other.drop())
    await expect(open(direct.url, other.url)).rejects.toThrow(
      'DATABASE_URL_DIRECT leads to another database than DATABASE_URL',
    )
  })

  it('is refused without DATABASE_URL, which is the address that the application asks', async () => {
    const env = { NODE_ENV: 'test', DATABASE_URL_DIRECT: direct.url }
    await expect(startServer(defineServer(), { env, port: 0 })).rejects.toThrow(
      'set DATABASE_URL too',
    )
  })

  it('is named where it is not understood, or nothing answers', async () => {
    await expect(open(direct.url, 'postgres://nothing')).rejects.toThrow(
      'DATABASE_URL_DIRECT is not understood',
    )
    await expect(open(direct.url, 'postgres://127.0.0.1:9/none')).rejects.toThrow(
      'or correct DATABASE_URL_DIRECT.',
    )
  })
})
