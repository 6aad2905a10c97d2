import type { Client, PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defineServer, migrationSources } from '../index.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { append, type EventRow, newer, open, type StateRow, state, tick } from './statements.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase({ sources: migrationSources(defineServer()) })
})
afterAll(() => database.drop())

beforeEach(async () => {
  const { pool } = database
  await pool.query('truncate svc_core.event_rows, svc_core.event_ticks, svc_core.event_slots')
  await pool.query('delete from svc_core.event_logs')
  await pool.query(open(0))
})

type Connection = Pick<Client | PoolClient, 'query'>

const history = { size: 8, ttl: 600_000 }

async function write(numbers: readonly number[], connection: Connection = database.pool) {
  await writeTo((await now()).slot, numbers, connection)
}

const writeTo = (slot: number, numbers: readonly number[], connection: Connection) =>
  connection.query(
    append(numbers.map((n) => ({ slot, name: 'tick', payload: String(n), trace: null }))),
  )

const look = (keeping = history) => database.pool.query(tick(0, keeping))

async function now() {
  const { rows } = await database.pool.query<StateRow>(state(0))
  return rows[0] as StateRow
}

/** What a reader gets that has got to a position. */
async function after(position: number) {
  const { rows } = await database.pool.query<EventRow>(newer(0, position, 1000))
  return rows.filter(({ event }) => event !== null).map(({ payload }) => Number(payload))
}

async function kept() {
  const { rows } = await database.pool.query<{ payload: string }>(
    'select payload from svc_core.event_rows order by id',
  )
  return rows.map(({ payload }) => Number(payload))
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

describe('the slots of a log', () => {
  it('are emptied in turn: as many are kept as are to be, and not many more', async () => {
    for (const n of from(1, 200)) {
      await write([n])
      await look()
      const { head, floor } = await now()
      expect(head).toBe(n)
      expect(await after(floor)).toEqual(from(floor + 1, n))
      expect(n - floor).toBeGreaterThanOrEqual(Math.min(n, history.size))
      expect((await kept()).length).toBeLessThan(4 * history.size)
    }
    const { rows } = await database.pool.query(
      'select count(*)::int as ticks from svc_core.event_ticks',
    )
    expect(rows[0].ticks).toBeLessThan(4 * history.size)
  })

  it('are emptied by age, however many are to be kept', async () => {
    const young = { size: 1_000_000, ttl: 80 }
    for (const n of from(1, 60)) {
      await write([n])
      await look(young)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect((await now()).floor).toBeGreaterThan(20)
    expect((await kept()).length).toBeLessThan(40)
  })

  it('are not emptied while a transaction has a row in one of them that is not committed', async () => {
    const slow = await database.pool.connect()
    await slow.query('begin')
    await write([1000], slow)
    for (const n of from(1, 100)) {
      await write([n])
      await look()
    }
    await slow.query('commit')
    slow.release()
    await look()
    expect((await after(99)).slice(-2)).toEqual([100, 1000])
    await database.pool.query('update svc_core.event_logs set next_try = clock_timestamp()')
    for (const n of from(101, 140)) {
      await database.pool.query('update svc_core.event_logs set next_try = clock_timestamp()')
      await write([n])
      await look()
    }
    expect((await kept()).length).toBeLessThan(4 * history.size)
  })

  it('keep a row that was committed after its slot was over for as long as any other', async () => {
    const slow = await database.pool.connect()
    await slow.query('begin')
    await write([1000], slow)
    for (const n of from(1, 8)) {
      await write([n])
      await look()
    }
    await slow.query('commit')
    slow.release()
    await look()
    for (const n of from(9, 200)) {
      await write([n])
      await look()
      const { floor } = await now()
      // Position 9 is the late one's.
      const expected = [...from(1, 8), 1000, ...from(9, n)].slice(floor)
      expect(await after(floor)).toEqual(expected)
      expect(expected.length).toBeGreaterThanOrEqual(history.size)
    }
  })

  it('keep a row that was written after its slot was over for as long as any other', async () => {
    // An instance learns of a turn when it next reads, and one that is cut off does much later.
    let known = 0
    for (const n of from(1, 400)) {
      if (n % 17 === 0) known = (await now()).slot
      await writeTo(n % 2 === 0 ? known : (await now()).slot, [n], database.pool)
      await database.pool.query('update svc_core.event_logs set next_try = clock_timestamp()')
      await look()
      const { head, floor } = await now()
      expect(head).toBe(n)
      expect(await after(floor)).toEqual(from(floor + 1, n))
      expect(n - floor).toBeGreaterThanOrEqual(Math.min(n, history.size))
    }
    expect((await kept()).length).toBeLessThan(8 * history.size)
  })

  it('are left alone while a statement reads all of them, and emptied later', async () => {
    const backup = await database.pool.connect()
    await backup.query('begin; lock table svc_core.event_rows in access share mode')
    for (const n of from(1, 100)) await write([n])
    await look()
    for (const n of from(101, 120)) {
      await write([n])
      await look()
    }
    expect((await kept()).length).toBe(120)
    await backup.query('commit')
    backup.release()
    await database.pool.query('update svc_core.event_logs set next_try = clock_timestamp()')
    for (const n of from(121, 200)) {
      await write([n])
      await look()
    }
    expect((await kept()).length).toBeLessThan(4 * history.size)
  })
})

describe('positions', () => {
  it('follow the commits: what is open without a row delays nothing (R42)', async () => {
    const [idle, one, other] = await Promise.all(from(1, 3).map(() => database.pool.connect()))
    if (!idle || !one || !other) throw new Error('there are connections')
    await idle.query('begin; create temporary table nothing (n int)')
    await one.query('begin')
    await write([1], one)
    await other.query('begin')
    await write([2], other)
    await other.query('commit')
    await look()
    expect(await after(0)).toEqual([2])
    await one.query('commit')
    await look()
    expect(await after(0)).toEqual([2, 1])
    expect(await after(1)).toEqual([1])
    await idle.query('rollback')
    for (const each of [idle, one, other]) each.release()
  })

  it('are given once, however many instances look at the same time', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (const n of from(1, 50)) {
        await write([writer * 1000 + n])
        if (n % 5 === writer % 5) await look({ size: 10_000, ttl: 600_000 })
      }
    })
    await Promise.all(writers)
    await look({ size: 10_000, ttl: 600_000 })
    const all = await after(0)
    expect(all.length).toBe(400)
    expect(new Set(all).size).toBe(400)
    // Of one writer, in its order.
    for (const writer of from(0, 7)) {
      const own = all.filter((n) => Math.floor(n / 1000) === writer)
      expect(own).toEqual(from(writer * 1000 + 1, writer * 1000 + 50))
    }
  })

  it('begin under another epoch in a copy of the database, and go on', async () => {
    await write([1, 2])
    await look()
    const before = await now()
    // What a copy finds.
    await database.pool.query(`update svc_core.event_logs set place = 'elsewhere'`)
    await database.pool.query(open(0))
    const copied = await now()
    expect(copied.epoch).not.toBe(before.epoch)
    expect([copied.head, copied.floor]).toEqual([2, 2])
    await write([3])
    await look()
    expect(await after(2)).toEqual([3])
  })

  it('begin under another epoch where a dump was restored', async () => {
    const { pool } = database
    await write([1, 2, 3])
    await look()
    const before = await now()
    await pool.query('create temporary table dump as select * from svc_core.event_logs')
    await pool.query('truncate svc_core.event_logs')
    await pool.query('insert into svc_core.event_logs select * from dump; drop table dump')
    await pool.query(open(0))
    expect((await now()).epoch).not.toBe(before.epoch)
  })

  it('go on where transaction ids begin again, as in another cluster', async () => {
    await write([1, 2])
    await look()
    await database.pool.query(
      `update svc_core.event_logs set place = 'elsewhere', snapshot = '999999999:999999999:'`,
    )
    await database.pool.query(open(0))
    expect(await kept()).toEqual([])
    await write([3])
    await look()
    expect([await now(), await after(2)]).toMatchObject([{ head: 3, floor: 2 }, [3]])
  })
})
