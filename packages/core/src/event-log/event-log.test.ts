import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  defineEvent,
  defineEventRouter,
  defineServer,
  migrationSources,
  type ServerDefinition,
  t,
} from '../index.ts'
import { openTestStream, type TestStream } from '../streams/test-stream.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { startTestServer, type TestServer } from '../testing/test-server.ts'
import { append, type StateRow, state } from './statements.ts'

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>

const soon = { interval: 5, timeout: 10_000 }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

const running: TestServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

/** An application of which any number of instances run. */
function application(history = { size: 1000, ttl: 60_000 }) {
  // Processes of their own have events of their own.
  const define = () => {
    const tick = defineEvent(`tick.${randomUUID()}`, t.Object({ n: t.Integer() }))
    return { tick, definition: defineServer().events(defineEventRouter({ tick }, { history })) }
  }
  return async (env = {}) => {
    const { tick, definition } = define()
    return start(definition, tick, env)
  }
}

async function start<Event>(definition: ServerDefinition, tick: Event, env: object) {
  const server = await startTestServer(definition, {
    env: { DATABASE_URL: database.url, ...env },
  })
  running.push(server)
  const open = async (lastId?: string) => {
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId }
    const stream = await openTestStream(`${server.url}/events/stream?events=tick`, headers)
    await vi.waitFor(() => expect(stream.frames.length).toBeGreaterThan(0), soon)
    return stream
  }
  const { db, pool } = server.infrastructure.database as NonNullable<
    TestServer['infrastructure']['database']
  >
  return { ...server, tick, open, db, pool }
}

const numbers = (stream: TestStream) =>
  stream.payloads().map((payload) => (payload as { n: number }).n)
const opening = (stream: TestStream) => stream.frames[0]?.data as object
const lastIdOf = (stream: TestStream) => stream.frames.findLast(({ id }) => id)?.id ?? ''

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** The numbers that a stream got before a frame. */
const before = (stream: TestStream, at: number) =>
  stream.frames
    .slice(0, at)
    .flatMap(({ event, data }) => (event === 'tick' ? [(data as { n: number }).n] : []))

const cutLogs = () =>
  database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'svc events' and datname = current_database()`,
  )

async function writeTick(n: number) {
  const { rows } = await database.pool.query<StateRow>(state(0))
  const slot = rows[0]?.slot ?? 0
  const payload = JSON.stringify({ n })
  await database.pool.query(append([{ slot, name: 'tick', payload, trace: null }]))
}

describe('a history that every instance shares', () => {
  it('gives a client that comes to another instance what it has missed, and then what comes', async () => {
    const instance = application()
    const [one, other] = [await instance(), await instance()]
    const stream = await one.open()
    await one.tick.emit({ n: 1 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1]), soon)
    stream.close()
    await one.tick.emit({ n: 2 })
    await other.tick.emit({ n: 3 })
    const again = await other.open(lastIdOf(stream))
    await one.tick.emit({ n: 4 })
    await vi.waitFor(() => expect(numbers(again)).toEqual([2, 3, 4]), soon)
    expect(opening(again)).toMatchObject({ recovered: true })
  })

  it('outlives a restart of all', async () => {
    const instance = application()
    const first = await instance()
    const stream = await first.open()
    await first.tick.emit({ n: 1 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1]), soon)
    await first.tick.emit({ n: 2 })
    await first.stop()
    running.length = 0
    const later = await instance()
    const again = await later.open(lastIdOf(stream).replace(/\d+$/, (n) => String(Number(n) - 1)))
    await vi.waitFor(() => expect(numbers(again).slice(0, 2)).toEqual([1, 2]), soon)
    expect(opening(again)).toMatchObject({ recovered: true })
  })

  it('has a client come back that has not got any event yet', async () => {
    const instance = application()
    const one = await instance()
    const stream = await one.open()
    stream.close()
    await one.tick.emit({ n: 7 })
    const again = await one.open(lastIdOf(stream))
    await vi.waitFor(() => expect(numbers(again)).toEqual([7]), soon)
  })

  it('keeps what a transaction emits with its commit, and nothing of one that is rolled back', async () => {
    const one = await application()()
    const stream = await one.open()
    await one.db.transaction(async (tx) => {
      await one.tick.emit({ n: 1 })
      await tx
        .transaction(async () => {
          await one.tick.emit({ n: 2 })
          throw new Error('this savepoint')
        })
        .catch(() => {})
      await tx.transaction(() => one.tick.emit({ n: 3 }))
    })
    await one.db
      .transaction(async () => {
        await one.tick.emit({ n: 4 })
        throw new Error('all of it')
      })
      .catch(() => {})
    await one.tick.emit({ n: 5 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1, 3, 5]), soon)
  })

  it('loses nothing of transactions that commit crosswise (R42)', async () => {
    const one = await application()()
    const stream = await one.open()
    const commitFirst = Promise.withResolvers<void>()
    const emitted = Promise.withResolvers<void>()
    const first = one.db.transaction(async () => {
      await one.tick.emit({ n: 1 })
      // Its row is written now, and its commit comes after that of the other.
      await one.pool.query('select 1')
      emitted.resolve()
      await commitFirst.promise
    })
    await emitted.promise
    await one.db.transaction(() => one.tick.emit({ n: 2 }))
    await vi.waitFor(() => expect(numbers(stream)).toEqual([2]), soon)
    stream.close()
    commitFirst.resolve()
    await first
    const again = await one.open(lastIdOf(stream))
    await vi.waitFor(() => expect(numbers(again)).toEqual([1]), soon)
  })

  it('goes on behind a connection that was cut, with nothing missed', async () => {
    const instance = application()
    const [one, other] = [await instance(), await instance()]
    const stream = await other.open()
    for (let n = 1; n <= 30; n++) {
      await one.tick.emit({ n })
      if (n % 10 === 0) await cutLogs()
    }
    await vi.waitFor(() => expect(numbers(stream)).toEqual(from(1, 30)), soon)
    expect(stream.frames.some(({ event }) => event === 'gap')).toBe(false)
  })

  it('tells an open stream what it has missed for good', async () => {
    const one = await application({ size: 8, ttl: 60_000 })()
    const stream = await one.open()
    const cutting = setInterval(() => void cutLogs(), 1)
    for (let n = 1; n <= 100; n++) {
      await writeTick(n)
      await database.pool.query(`select svc_core.tick_events(0::smallint, 8, interval '1 minute')`)
    }
    clearInterval(cutting)
    await vi.waitFor(() => expect(numbers(stream).at(-1)).toBe(100), soon)
    const at = stream.frames.findIndex(({ event }) => event === 'gap')
    expect(stream.frames[at]?.data).toEqual({ reason: 'expired' })
    // Behind it comes all that is left.
    const rest = numbers(stream).filter((n) => !before(stream, at).includes(n))
    expect(rest).toEqual(from(101 - rest.length, 100))
  })

  it('ends streams whose log is not the one any more, and tells their clients', async () => {
    const one = await application()()
    const stream = await one.open()
    await one.tick.emit({ n: 1 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1]), soon)
    // What a standby finds that has taken over, perhaps without the newest rows.
    await database.pool.query(`update svc_core.event_logs set place = 'elsewhere'`)
    await cutLogs()
    expect(await stream.ended).toBe('ended')
    const again = await one.open(lastIdOf(stream))
    expect(opening(again)).toMatchObject({ recovered: false, reason: 'unknown' })
    await one.tick.emit({ n: 2 })
    await vi.waitFor(() => expect(numbers(again)).toEqual([2]), soon)
  })

  it('fails an emission that it cannot keep, and its transaction', async () => {
    const one = await application()()
    const stream = await one.open()
    await database.pool.query('alter table svc_core.event_rows rename to event_rows_away')
    try {
      await expect(one.tick.emit({ n: 1 })).rejects.toThrow('event_rows')
      const writing = one.db.transaction(async (tx) => {
        await tx.execute('create table written ()')
        await one.tick.emit({ n: 2 })
      })
      await expect(writing).rejects.toThrow('event_rows')
    } finally {
      await database.pool.query('alter table svc_core.event_rows_away rename to event_rows')
    }
    await one.tick.emit({ n: 3 })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([3]), soon)
    await expect(one.pool.query('select from written')).rejects.toThrow('written')
  })

  it('says what is not kept any more', async () => {
    const one = await application({ size: 3, ttl: 60_000 })()
    const stream = await one.open()
    for (let n = 1; n <= 4; n++) await one.tick.emit({ n })
    await vi.waitFor(() => expect(numbers(stream)).toEqual([1, 2, 3, 4]), soon)
    const at = (back: number) => lastIdOf(stream).replace(/\d+$/, (n) => String(Number(n) - back))
    const known = await one.open(at(3))
    await vi.waitFor(() => expect(numbers(known)).toEqual([2, 3, 4]), soon)
    expect(opening(await one.open(at(4)))).toMatchObject({ recovered: false, reason: 'expired' })
    expect(opening(await one.open('0000-1'))).toMatchObject({ recovered: false, reason: 'unknown' })
  })
})
