import { setTimeout as wait } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { createTestDatabase } from '../../testing/test-database.ts'
import { databaseFailure } from '../failures.ts'
import { connectDatabase } from '../server.ts'
import { poolerVersion, startTestPooler } from '../test-pgbouncer.ts'
import { isAtReplica, log, numbers, opened, read, said, useReplica } from './test-stale-reads.ts'

const test = useReplica()
const { open } = test

const noPooler =
  poolerVersion < 1.21 ? ' [not run: this machine has no pgbouncer of 1.21 or newer]' : ''

const add = (n: number) => test.database.pool.query('insert into numbers values ($1)', [n])

describe('what a stale route reads', () => {
  it('comes from the replica, statements and transactions', async () => {
    const reads = await open(test.pair.standbyUrl)
    expect(reads.replica()).toBe('up')
    expect(await isAtReplica(reads)).toBe(true)
    const within = await reads.db.transaction((tx) =>
      tx.execute(sql`select pg_is_in_recovery() as at`),
    )
    expect(within.rows).toEqual([{ at: true }])
    await add(1)
    await vi.waitFor(async () => expect(await read(reads)).toEqual([1]))
  })

  it('comes from the primary where there is no replica', async () => {
    const reads = await open(undefined)
    expect(reads.replica()).toBeNull()
    expect(await isAtReplica(reads)).toBe(false)
  })

  it.each([
    ['the replica', () => test.pair.standbyUrl],
    ['the primary, where there is no replica', () => undefined],
    ['the primary, where the address of the replica leads to it', () => test.pair.primaryUrl],
  ])('is not written: a fault of the program at %s', async (_, url) => {
    const reads = await open(url())
    const writes = [
      async () => reads.db.insert(numbers).values({ n: 1 }),
      () => reads.db.transaction((tx) => tx.insert(numbers).values({ n: 1 })),
      () =>
        reads.db.transaction((tx) => tx.insert(numbers).values({ n: 1 }), {
          accessMode: 'read write',
        }),
    ]
    for (const write of writes) {
      const failure = await write().then(
        () => 'written',
        (error: unknown) => error,
      )
      // 503 would be said to be over in a moment.
      expect(databaseFailure(failure)).toBeNull()
      const { message, cause } = failure as Error
      expect(`${message} ${String(cause)}`).toContain('A .stale() route can only read')
    }
    expect((await test.database.pool.query('select from numbers')).rowCount).toBe(0)
    expect(await read(reads)).toEqual([])
  })

  it('is at most so old: one that is further behind is not read, and again when it has caught up', async () => {
    const reads = await open(test.pair.standbyUrl, 2500)
    await test.pair.pauseReplay()
    await add(1)
    expect(await read(reads)).toEqual([])
    const began = performance.now()
    await vi.waitFor(async () => expect(await read(reads)).toEqual([1]), {
      timeout: 6000,
      interval: 50,
    })
    expect(performance.now() - began).toBeLessThan(4000)
    expect(reads.replica()).toBe('behind')
    await vi.waitFor(() => expect(said).toEqual(['behind']), 2000)
    await test.pair.resumeReplay()
    await vi.waitFor(async () => expect(await isAtReplica(reads)).toBe(true), 5000)
    await vi.waitFor(() => expect(said).toEqual(['behind', 'up']), 2000)
  }, 30_000)

  it('comes from the primary while the replica is down, also for those who have just asked, and from the replica when it is back', async () => {
    const reads = await open(test.pair.standbyUrl)
    expect(await isAtReplica(reads)).toBe(true)
    await test.pair.killStandby()
    const answers = await Promise.all(Array.from({ length: 8 }, () => isAtReplica(reads)))
    expect(answers).toEqual(answers.map(() => false))
    expect(reads.replica()).toBe('down')
    const within = reads.db.transaction((tx) => tx.execute(sql`select pg_is_in_recovery() as at`))
    expect((await within).rows).toEqual([{ at: false }])
    await test.pair.restartStandby()
    await vi.waitFor(async () => expect(await isAtReplica(reads)).toBe(true), 10_000)
  }, 30_000)

  it('comes from the primary when the replica was down before the server started', async () => {
    await test.pair.killStandby()
    const reads = await open(test.pair.standbyUrl)
    expect(reads.replica()).toBe('down')
    expect(await isAtReplica(reads)).toBe(false)
    await test.pair.restartStandby()
    await vi.waitFor(async () => expect(await isAtReplica(reads)).toBe(true), 10_000)
  }, 30_000)

  it('is refused at the start where the address leads to another database, or names several hosts', async () => {
    const other = await createTestDatabase()
    await expect(open(other.url)).rejects.toThrow('leads to another database')
    await other.drop()
    await expect(open(test.pair.url)).rejects.toThrow('names one host')
  })

  it.skipIf(noPooler)(
    `comes from a replica behind a pooler in transaction mode, which may be restarted, and the primary may have one, too${noPooler}`,
    async () => {
      const shared = { mode: 'transaction', preparedStatements: 100 } as const
      const before = await startTestPooler(test.pair.standbyUrl, shared)
      const primaryPooler = await startTestPooler(test.pair.primaryUrl, shared)
      const primary = await connectDatabase(primaryPooler.url, {
        log,
        directUrl: test.pair.primaryUrl,
      })
      const reads = await open(before.url, 2500, primary)
      expect(reads.replica()).toBe('up')
      expect(await isAtReplica(reads)).toBe(true)
      // More at once than the pooler has connections, each with a statement that is prepared.
      const byN = reads.db
        .select()
        .from(numbers)
        .where(eq(numbers.n, sql.placeholder('n')))
        .prepare('by_n')
      await add(1)
      await vi.waitFor(async () => expect(await read(reads)).toEqual([1]))
      const found = await Promise.all(
        Array.from({ length: 100 }, (_, at) => byN.execute({ n: at % 2 })),
      )
      expect(found.map(({ length }) => length)).toEqual(found.map((_, at) => at % 2))
      await expect(reads.db.insert(numbers).values({ n: 2 })).rejects.toThrow()
      const within = reads.db.transaction((tx) => tx.execute(sql`select pg_is_in_recovery() as at`))
      expect((await within).rows).toEqual([{ at: true }])
      await wait(3000)
      expect(reads.replica()).toBe('up')

      const load = Promise.all(Array.from({ length: 50 }, () => read(reads)))
      await before.restart()
      expect(await load).toEqual(Array.from({ length: 50 }, () => [1]))
      await vi.waitFor(async () => expect(await isAtReplica(reads)).toBe(true), 5000)
      expect(await read(reads)).toEqual([1])
      await Promise.all(opened.splice(0).map((each) => each.close()))
      await primary.close()
      await Promise.all([before.stop(), primaryPooler.stop()])
    },
    30_000,
  )

  it('comes from the primary when the replica has become one itself', async () => {
    const reads = await open(test.pair.standbyUrl)
    await test.pair.promote()
    await vi.waitFor(() => expect(reads.replica()).toBe('down'), 5000)
    const { rows } = await reads.db.execute<{ port: number }>(
      sql`select inet_server_port() as port`,
    )
    expect(`${rows[0]?.port}`).toBe(new URL(test.pair.primaryUrl).port)
  }, 20_000)
})
