import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { DatabaseConnectionError } from './errors.ts'
import { databaseFailure } from './failures.ts'
import { connectDatabase, type Database } from './server.ts'
import { startWire, type Wire } from './test-wire.ts'

const log = { warn: vi.fn(), error: vi.fn() }

let database: TestDatabase
let wire: Wire

beforeAll(async () => {
  database = await createTestDatabase()
  wire = await startWire(database.url)
})
afterAll(async () => {
  wire.close()
  await database.drop()
})

async function messageFor(url: string) {
  const failure = await connectDatabase(url, { log }).then(
    async (opened) => opened.close(),
    (error) => error,
  )
  expect(failure).toBeInstanceOf(DatabaseConnectionError)
  return (failure as Error).message
}

function changed(change: (url: URL) => void) {
  const url = new URL(wire.url)
  change(url)
  return url.href
}

async function within<T>(millis: number, work: Promise<T>) {
  const start = performance.now()
  const result = await work
  expect(performance.now() - start).toBeLessThan(millis)
  return result
}

describe('a DATABASE_URL that does not work', () => {
  it.each([
    ['', /DATABASE_URL is not understood: write postgres:/],
    ['mysql://root:hunter2@localhost/db', /is not understood/],
    ['postgres://root:hunter2@localhost', /is not understood/],
    ['postgres://root:hunter#2@localhost/db', /is not understood.*percent-encoded/],
    ['postgres://root:hunter2%c3%28@localhost/db', /is not understood.*percent-encoded/],
    ['embedded:', /write embedded:/],
    ['embedded:./x?fsync=maybe', /write embedded:/],
    ['embedded:./x?sync=off', /write embedded:/],
    ['postgres://root:hunter2@127.0.0.1:1/db', /Nothing answers at 127.0.0.1:1: start PostgreSQL/],
    ['postgres://root:hunter2@%2Fnowhere/db', /Nothing answers at \/nowhere: start PostgreSQL/],
    ['postgres://root:hunter2@no-such-host.invalid/db', /"no-such-host.invalid" is unknown/],
  ])('%s: says what to do, without the password', async (url, message) => {
    expect(await messageFor(url)).toMatch(message)
    expect(await messageFor(url)).not.toContain('hunter')
  })

  it('names a wrong password, without repeating it', async () => {
    const message = await messageFor(changed((url) => (url.password = 'hunter2')))
    expect(message).toMatch(/refuses the password of "\w+"/)
    expect(message).not.toContain('hunter')
  })

  it('names a missing database', async () => {
    expect(await messageFor(changed((url) => (url.pathname = 'nowhere')))).toMatch(
      /no database "nowhere" at .*createdb nowhere/,
    )
  })

  it('names TLS that the server does not have', async () => {
    expect(await messageFor(changed((url) => (url.search = '?sslmode=require')))).toMatch(
      /has no TLS: remove sslmode/,
    )
  })

  it('gives up on a server that accepts and says nothing', async () => {
    wire.hold(true)
    expect(await within(5500, messageFor(wire.url))).toMatch(/does not answer/)
    wire.hold(false)
  })
})

describe('connectDatabase', () => {
  it('reads moments as dates, days as text and counts as numbers', async () => {
    const { rows } = await database.pool.query(`select
      '2026-01-02T03:04:05+02'::timestamptz as moment, '2026-01-02 03:04:05'::timestamp as utc,
      '2026-01-02'::date as day, 5::bigint as count, 9007199254740993 as big`)
    expect(rows[0]).toEqual({
      moment: new Date('2026-01-02T01:04:05Z'),
      utc: new Date('2026-01-02T03:04:05Z'),
      day: '2026-01-02',
      count: 5,
      big: 9007199254740993n,
    })
  })

  it('opens no more connections than it may', async () => {
    const small = await connectDatabase(database.url, { log, maxConnections: 2 })
    await Promise.all(Array.from({ length: 8 }, () => small.pool.query('select pg_sleep(0.01)')))
    expect(small.pool.totalCount).toBe(2)
    await small.close()
  })

  it('survives the loss of its idle connections, and opens new ones', async () => {
    const opened = await connectDatabase(wire.url, { log })
    wire.cut()
    await vi.waitFor(() => expect(opened.pool.totalCount).toBe(0))
    expect(log.warn).toHaveBeenCalled()
    expect((await opened.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await opened.close()
  })
})

describe('a database that stalls', () => {
  let opened: Database

  beforeAll(async () => {
    opened = await connectDatabase(wire.url, { log, maxConnections: 2 })
    await Promise.all([opened.pool.query('select 1'), opened.pool.query('select 1')])
    await opened.isUp()
    wire.hold(true)
  })
  afterAll(async () => {
    wire.hold(false)
    await opened.close()
  })

  it('fails requests within 5 s with 503, and health says so within 1 s', async () => {
    const requests = Array.from({ length: 6 }, (_, at) =>
      at % 2
        ? opened.db.execute(sql`select 1`)
        : opened.db.transaction((tx) => tx.execute(sql`select 1`)),
    )
    const answers = within(5000, Promise.allSettled(requests))
    expect(await within(1000, opened.isUp())).toBe(false)
    expect(await within(1000, opened.isUp())).toBe(false)
    for (const answer of await answers) {
      expect(answer.status).toBe('rejected')
      const reason = answer.status === 'rejected' && answer.reason
      expect(databaseFailure(reason)).toMatchObject({ status: 503 })
    }
  })

  it('is used again as soon as it answers', async () => {
    wire.hold(false)
    expect(await within(1000, opened.isUp())).toBe(true)
    expect((await within(1000, opened.db.execute(sql`select 1 as one`))).rows).toHaveLength(1)
  })
})

describe('isUp', () => {
  it('is true although every connection is busy', async () => {
    const busy = await connectDatabase(database.url, { log, maxConnections: 1 })
    const long = busy.pool.query('select pg_sleep(0.3)')
    expect(await within(250, busy.isUp())).toBe(true)
    await long
    await busy.close()
  })
})

it('gives the caller the failure of a connection that ends while its host is asked whether it takes writes (F25)', async () => {
  const line = await startWire(database.url)
  onTestFinished(() => line.close())
  const url = new URL(line.url)
  url.searchParams.set('target_session_attrs', 'read-write')
  const opened = await connectDatabase(url.href, { log })
  onTestFinished(() => opened.close())
  line.cutAfter('transaction_read_only')
  line.cut()

  // An 'error' event without a listener would end the process.
  const failures = await Promise.all(
    [1, 2].map(() => opened.pool.query('select 1').catch((error: unknown) => error)),
  )
  expect(failures.map((failure) => databaseFailure(failure)?.status)).toEqual([503, 503])
})
