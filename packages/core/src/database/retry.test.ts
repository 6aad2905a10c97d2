import { eq, inArray, sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { databaseFailure } from './failures.ts'
import { connectDatabase, type Database } from './server.ts'
import { startWire } from './test-wire.ts'
import { afterCommit, atCommit, type Tx } from './transaction.ts'

const counters = pgTable('counters', { id: integer().primaryKey(), n: integer().notNull() })
const log = { warn: () => {}, error: () => {} }

let home: TestDatabase
/** Its statements outside of transactions are serializable too, and it sees a deadlock at once. */
let database: Database

beforeAll(async () => {
  home = await createTestDatabase()
  const { rows } = await home.pool.query('select current_database() as name')
  await home.pool.query(`
    create table counters (id int primary key, n int not null);
    create function collide() returns int language plpgsql as
      $$ begin raise 'as if it had collided' using errcode = '40001'; end $$;
    create procedure half() language plpgsql as
      $$ begin insert into counters values (3, 0); commit; perform collide(); end $$;
    alter database ${rows[0].name} set default_transaction_isolation = 'serializable';
    alter database ${rows[0].name} set deadlock_timeout = '20ms'`)
  database = await connectDatabase(home.url, { log })
})
beforeEach(() => home.pool.query('truncate counters; insert into counters values (1, 0), (2, 0)'))
afterAll(async () => {
  await database.close()
  await home.drop()
})

const all = async () => (await home.pool.query('select * from counters order by id')).rows
const add = (tx: Pick<Tx, 'update'>, id: number) =>
  tx
    .update(counters)
    .set({ n: sql`${counters.n} + 1` })
    .where(eq(counters.id, id))

/** Resolves for the first two who wait for it, once both do; later ones do not wait. */
function meeting() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let came = 0
  return () => {
    came += 1
    if (came === 2) resolve()
    return promise
  }
}

/** Two that write what the other one has read: PostgreSQL lets one of them commit. */
function writeSkew(options: { retry?: boolean }) {
  const meet = meeting()
  let runs = 0
  const one = (from: number, to: number) =>
    database.db.transaction(async (tx) => {
      runs += 1
      const [read] = await tx.select().from(counters).where(eq(counters.id, from))
      await meet()
      await tx
        .update(counters)
        .set({ n: (read?.n ?? 0) + 1 })
        .where(eq(counters.id, to))
    }, options)
  return { both: Promise.allSettled([one(1, 2), one(2, 1)]), runs: () => runs }
}

/** Two that lock the same rows in opposite orders. */
function deadlock(options: { retry?: boolean }) {
  const meet = meeting()
  const one = (first: number, second: number) =>
    database.db.transaction(
      async (tx) => {
        await add(tx, first)
        await meet()
        await add(tx, second)
      },
      { ...options, isolationLevel: 'read committed' },
    )
  return Promise.allSettled([one(1, 2), one(2, 1)])
}

const outcomes = (settled: readonly PromiseSettledResult<unknown>[]) =>
  settled.map((each) =>
    each.status === 'rejected' ? `${databaseFailure(each.reason)?.status}` : 'done',
  )

describe('a transaction that collides with another one', () => {
  it('runs again where that was asked for: a serialization failure', async () => {
    const { both, runs } = writeSkew({ retry: true })
    expect(outcomes(await both)).toEqual(['done', 'done'])
    expect(runs()).toBe(3)
    // As if one had run after the other.
    expect((await all()).map(({ n }) => n).toSorted((one, other) => one - other)).toEqual([1, 2])
  })

  it('runs again where that was asked for: a deadlock', async () => {
    expect(outcomes(await deadlock({ retry: true }))).toEqual(['done', 'done'])
    expect(await all()).toEqual([
      { id: 1, n: 2 },
      { id: 2, n: 2 },
    ])
  })

  it('does not run again unless it was: what else its function does is not known', async () => {
    const { both, runs } = writeSkew({})
    expect(outcomes(await both).toSorted()).toEqual(['503', 'done'])
    expect(runs()).toBe(2)
    expect(outcomes(await deadlock({})).toSorted()).toEqual(['503', 'done'])
  })

  it('leaves nothing of the run that collided: no row, nothing that waited for its commit', async () => {
    const ran: number[] = []
    const row = async (ids: readonly number[]) => ({
      text: 'insert into counters select unnest($1::int[]), 0',
      values: [ids],
    })
    let run = 0
    await database.db.transaction(
      async (tx) => {
        run += 1
        const own = run
        await afterCommit(() => void ran.push(own))
        atCommit(row, 10 + run)
        await add(tx, 1)
        if (run === 1) await tx.execute(sql`select collide()`)
      },
      { retry: true },
    )
    expect(ran).toEqual([2])
    expect(await all()).toEqual([
      { id: 1, n: 1 },
      { id: 2, n: 0 },
      { id: 12, n: 0 },
    ])
  })

  it('is tried eight times and no longer than some seconds, and answers 503 with Retry-After then', async () => {
    let runs = 0
    const began = performance.now()
    const attempt = database.db.transaction(
      async (tx) => {
        runs += 1
        await tx.execute(sql`select collide()`)
      },
      { retry: true },
    )
    const failure = await attempt.catch((error: unknown) => error)
    expect(databaseFailure(failure)).toMatchObject({ status: 503, retryAfter: 1 })
    expect(runs).toBe(8)
    expect(performance.now() - began).toBeLessThan(2500)

    runs = 0
    const slow = database.db.transaction(
      async (tx) => {
        runs += 1
        await tx.execute(sql`select pg_sleep(1)`)
        await tx.execute(sql`select collide()`)
      },
      { retry: true },
    )
    await expect(slow).rejects.toThrow()
    expect(runs).toBe(3)
  })

  it('keeps its connection: a collision is no fault of it', async () => {
    const lone = await connectDatabase(home.url, { log, maxConnections: 1 })
    const pids = new Set<unknown>()
    const attempt = lone.db.transaction(
      async (tx) => {
        const { rows } = await tx.execute(sql`select pg_backend_pid() as pid`)
        pids.add(rows[0]?.pid)
        await tx.execute(sql`select collide()`)
      },
      { retry: true },
    )
    await expect(attempt).rejects.toThrow()
    expect(pids.size).toBe(1)
    await lone.close()
  })
})

describe('a statement outside of transactions that collides', () => {
  it('runs again: PostgreSQL has undone it', async () => {
    const other = await home.pool.connect()
    await other.query('begin; update counters set n = 10 where id = 1')
    const adding = add(database.db, 1).then(() => 'done')
    await untilWaiting()
    await other.query('commit')
    other.release()
    expect(await adding).toBe('done')
    expect((await all())[0]).toEqual({ id: 1, n: 11 })
  })

  it('runs again also when it was the victim of a deadlock', async () => {
    const other = await home.pool.connect()
    await other.query(`begin; set local deadlock_timeout = '1min'`)
    await other.query('update counters set n = 10 where id = 2')
    const adding = database.db
      .update(counters)
      .set({ n: sql`${counters.n} + 1` })
      .where(inArray(counters.id, [1, 2]))
      .then(() => 'done')
    await untilWaiting()
    await other.query('update counters set n = 10 where id = 1')
    await other.query('commit')
    other.release()
    expect(await adding).toBe('done')
    expect((await all()).map(({ n }) => n)).toEqual([11, 11])
  })

  it('does not run again if a part of it may have been committed: a procedure, several statements', async () => {
    // A second run would be refused for the row of the first, with 23505.
    const collided = { cause: { code: '40001' } }
    await expect(database.db.execute(sql`call half()`)).rejects.toMatchObject(collided)
    await home.pool.query('delete from counters where id = 3')
    const several = sql`insert into counters values (3, 0); commit; select collide()`
    await expect(database.db.execute(several)).rejects.toMatchObject(collided)
    expect((await all()).at(-1)).toEqual({ id: 3, n: 0 })
  })
})

describe('a commit whose outcome is unknown', () => {
  it('is not run again: it may have been', async () => {
    const wire = await startWire(home.url)
    const cutOff = await connectDatabase(wire.url, { log })
    let runs = 0
    const attempt = cutOff.db.transaction(
      async (tx) => {
        runs += 1
        await add(tx, 1)
        wire.cutAfter('commit')
      },
      { retry: true },
    )
    await expect(attempt).rejects.toSatisfy((error) => databaseFailure(error)?.status === 503)
    expect(runs).toBe(1)
    expect((await all())[0]).toEqual({ id: 1, n: 1 })
    await cutOff.close()
    wire.close()
  })
})

/** A statement of another connection waits for a lock. */
async function untilWaiting() {
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await home.pool.query(waiting)).rowCount === 0);
}
