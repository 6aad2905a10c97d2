import { Type as t } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import type { QueuedJob } from '../infrastructure/infrastructure.ts'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const Text = t.Object({ text: t.String() })
const inAnHour = () => ({ startAfter: new Date(Date.now() + 3_600_000) })
const unknown = '00000000-0000-4000-8000-000000000000'

/** Rows as they lie in a queue, of which no worker takes any. */
const keep = (name: string, state: string, rows: number) =>
  jobs.database.pool.query(
    `insert into svc_jobs.job (name, state, created_on, start_after)
     select $1, $2, now() - n * interval '1 second', now() + interval '1 hour' from generate_series(1, $3) n`,
    [name, state, rows],
  )

async function firstOf(running: Awaited<ReturnType<typeof jobs.start>>['running'], job: string) {
  const found = await running.list({ job })
  return found.jobs[0] as QueuedJob
}

/** A job that has failed for good, and what makes it succeed. */
async function failed(name: string) {
  const handler = vi.fn().mockRejectedValue(new TypeError('never'))
  const job = defineJob(name).input(Text).retry({ limit: 0 }).handler(handler)
  const { running } = await jobs.start({ job })
  await job.enqueue({ text: 'only-for-the-receiver' })
  await vi.waitFor(async () => expect((await firstOf(running, name)).state).toBe('failed'))
  const { id } = await firstOf(running, name)
  return { id, handler, running, state: async () => (await firstOf(running, name)).state }
}

describe('queues', () => {
  it('has each job with its counts, and the next run of one that is scheduled', async () => {
    const nightly = defineJob('counted-nightly')
      .cron('0 6 * * *', { timezone: 'Asia/Seoul' })
      .handler(() => {})
    let release = () => {}
    const busy = defineJob('counted-busy').handler(
      () => new Promise<void>((end) => (release = end)),
    )
    const { running } = await jobs.start({ nightly, busy })
    await busy.enqueue()
    await busy.enqueue(undefined, inAnHour())
    await keep('counted-busy', 'failed', 2)
    await vi.waitFor(async () =>
      expect(await running.queues()).toEqual([
        { job: 'counted-busy', due: 0, later: 1, running: 1, failed: 2, hasMore: false },
        {
          job: 'counted-nightly',
          due: 0,
          later: 0,
          running: 0,
          failed: 0,
          hasMore: false,
          cron: {
            expression: '0 6 * * *',
            timezone: 'Asia/Seoul',
            nextRunAt: expect.stringMatching(/T21:00:00\.000Z$/),
          },
        },
      ]),
    )
    release()
  })

  it('counts 1,000 of a state at most, and says that there may be more', async () => {
    const long = defineJob('counted-long').handler(() => {})
    const { running } = await jobs.start({ long })
    await keep('counted-long', 'created', 1020)
    expect(await running.queues()).toMatchObject([{ due: 0, later: 1000, hasMore: true }])
  })
})

describe('list', () => {
  it('has what a job has failed with, and nothing of its input', async () => {
    const { id, running } = await failed('listed-failed')
    const found = await running.list({ job: 'listed-failed' })
    const moment = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(found.jobs).toEqual([
      {
        id,
        job: 'listed-failed',
        state: 'failed',
        attempt: 1,
        retryLimit: 0,
        createdAt: moment,
        startAfter: moment,
        startedAt: moment,
        finishedAt: moment,
        error: { name: 'TypeError', message: 'never' },
      },
    ])
  })

  it('has why pg-boss itself has given one up, as a message', async () => {
    const lost = defineJob('listed-lost').handler(() => {})
    const { running } = await jobs.start({ lost })
    const outputs = [{ value: { message: 'job timed out' } }, { value: 'shut down' }]
    for (const output of outputs) {
      await jobs.database.pool.query(
        `insert into svc_jobs.job (name, state, output) values ('listed-lost', 'failed', $1)`,
        [output],
      )
    }
    const found = await running.list({ job: 'listed-lost' })
    expect(found.jobs.map(({ error }) => error)).toEqual([
      { name: 'Error', message: 'shut down' },
      { name: 'Error', message: 'job timed out' },
    ])
  })

  it('has the newest first, page by page, also where many were added at once', async () => {
    const one = defineJob('paged-one').handler(() => {})
    const two = defineJob('paged-two').handler(() => {})
    const { running } = await jobs.start({ one, two })
    await jobs.database.db.transaction(async () => {
      for (let n = 0; n < 4; n++) await one.enqueue(undefined, inAnHour())
    })
    await keep('paged-two', 'completed', 3)
    await two.enqueue(undefined, inAnHour())
    const seen: QueuedJob[] = []
    let after: string | undefined
    do {
      const page = await running.list({ limit: 3, after })
      seen.push(...page.jobs)
      after = page.next
    } while (after)
    const times = seen.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(seen.map(({ id }) => id)).size).toBe(8)
    expect(seen.map(({ job, state }) => `${job} ${state}`)).toEqual([
      'paged-two waiting',
      ...Array(4).fill('paged-one waiting'),
      ...Array(3).fill('paged-two done'),
    ])
    expect((await running.list({ state: 'done' })).jobs).toHaveLength(3)
    expect((await running.list({ job: 'paged-one', state: 'done' })).jobs).toEqual([])
    expect((await running.list({ job: 'another' })).jobs).toEqual([])
  })

  it('costs the same in a long queue, as the counts do: they read few rows, by an index', async () => {
    const deep = defineJob('deep').handler(() => {})
    const { running } = await jobs.start({ deep })
    for (const state of ['created', 'completed', 'failed']) await keep('deep', state, 11_000)
    const { pool } = jobs.database
    await pool.query('analyze svc_jobs.job_common')
    const asked = vi.spyOn(pool, 'query')
    const { next } = await running.list({ limit: 100 })
    await running.list({ limit: 100, after: next })
    await running.list({ state: 'failed', limit: 100 })
    await running.queues()
    const calls = asked.mock.calls as unknown[][]
    asked.mockRestore()
    const statements = calls
      .map(([text, values]) => ({ text: String(text), values: values as unknown[] }))
      .filter(({ text }) => text.includes('cross join lateral'))
    expect(statements).toHaveLength(4)
    for (const [index, { text, values }] of statements.entries()) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values)
      const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan)
      const reads = nodes.filter((node) => node['Relation Name'] === 'job_common')
      expect(new Set(reads.map((node) => node['Index Name']))).toEqual(
        new Set(['svc_jobs_by_state']),
      )
      // Of each of the six states of pg-boss: a page, and one that tells whether there is another.
      const most = index === 3 ? 1000 : 6 * 101
      for (const node of reads) {
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(most)
        expect(node['Rows Removed by Filter'] ?? 0).toBe(0)
      }
    }
  })
})

interface PlanNode {
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

describe('find', () => {
  it('has one job with its input and the stack of its error', async () => {
    const { id, running } = await failed('found')
    const { error, ...listed } = await firstOf(running, 'found')
    expect(await running.find(id)).toEqual({
      ...listed,
      error: { ...error, stack: expect.stringContaining('TypeError: never\n    at ') },
      input: { text: 'only-for-the-receiver' },
    })
    const plain = defineJob('found-plain').handler(() => {})
    const { running: other } = await jobs.start({ plain })
    await plain.enqueue(undefined, inAnHour())
    const waiting = await firstOf(other, 'found-plain')
    expect(await other.find(waiting.id)).toEqual(waiting)
  })

  it('leaves a long input out whole', async () => {
    const long = defineJob('found-long')
      .input(Text)
      .handler(() => {})
    const { running } = await jobs.start({ long })
    await long.enqueue({ text: 'x'.repeat(99_980) }, inAnHour())
    const short = await firstOf(running, 'found-long')
    expect((await running.find(short.id))?.input).toBeDefined()
    await long.enqueue({ text: 'x'.repeat(100_000) }, inAnHour())
    const { id } = await firstOf(running, 'found-long')
    expect(await running.find(id)).not.toHaveProperty('input')
  })

  it('finds none by an id that is unknown', async () => {
    const { running } = await failed('found-no-other')
    expect(await running.find(unknown)).toBeNull()
    expect(await running.find('not an id')).toBeNull()
  })
})

describe('retry', () => {
  it('has a failed job run once more, with what it was given', async () => {
    const { id, handler, running, state } = await failed('retried')
    handler.mockResolvedValue(undefined)
    expect(await running.retry(id, 'retried')).toEqual({ isMoved: true, state: 'waiting' })
    await vi.waitFor(async () => expect(await state()).toBe('done'))
    expect(handler).toHaveBeenCalledTimes(2)
    expect(handler.mock.lastCall).toMatchObject([{ text: 'only-for-the-receiver' }, { attempt: 2 }])
    expect(await firstOf(running, 'retried')).toMatchObject({ attempt: 2, retryLimit: 1 })
    expect(await running.retry(id, 'retried')).toEqual({ isMoved: false, state: 'done' })
  })

  it('has it fail again after that one run, and be retried again', async () => {
    const { id, handler, running, state } = await failed('failing')
    await running.retry(id, 'failing')
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2))
    await vi.waitFor(async () => expect(await state()).toBe('failed'))
    expect(await running.retry(id, 'failing')).toMatchObject({ isMoved: true })
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(3))
  })

  it('moves it once where two ask at once', async () => {
    const { id, handler, running, state } = await failed('retried-twice')
    handler.mockResolvedValue(undefined)
    const both = await Promise.all([
      running.retry(id, 'retried-twice'),
      running.retry(id, 'retried-twice'),
    ])
    expect(both.filter((move) => move?.isMoved)).toHaveLength(1)
    await vi.waitFor(async () => expect(await state()).toBe('done'))
    expect(handler).toHaveBeenCalledTimes(2)
  })

  it('keeps it long enough to run, however old it is', async () => {
    const { id, handler, running, state } = await failed('retried-late')
    const { pool } = jobs.database
    const old = `update svc_jobs.job set keep_until = now() - interval '1 day' where id = $1`
    await pool.query(old, [id])
    handler.mockResolvedValue(undefined)
    await running.retry(id, 'retried-late')
    await vi.waitFor(async () => expect(await state()).toBe('done'))
    const reading = 'select keep_until > now() as kept from svc_jobs.job where id = $1'
    expect((await pool.query(reading, [id])).rows).toEqual([{ kept: true }])
  })

  it('is undone with the transaction that it is part of', async () => {
    const { id, handler, running, state } = await failed('retried-in-vain')
    const failing = jobs.database.db.transaction(async () => {
      expect(await running.retry(id, 'retried-in-vain')).toMatchObject({ isMoved: true })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await state()).toBe('failed')
    expect(handler).toHaveBeenCalledOnce()
  })
})

describe('cancel', () => {
  it('ends a job that waits, once', async () => {
    const ran = vi.fn()
    const later = defineJob('cancelled').handler(ran)
    const { running } = await jobs.start({ later })
    await later.enqueue(undefined, inAnHour())
    const { id } = await firstOf(running, 'cancelled')
    const both = await Promise.all([
      running.cancel(id, 'cancelled'),
      running.cancel(id, 'cancelled'),
    ])
    expect(both).toContainEqual({ isMoved: true, state: 'cancelled' })
    expect(both).toContainEqual({ isMoved: false, state: 'cancelled' })
    expect(await firstOf(running, 'cancelled')).toMatchObject({
      state: 'cancelled',
      attempt: 0,
      finishedAt: expect.any(String),
    })
    expect(await running.retry(id, 'cancelled')).toEqual({ isMoved: false, state: 'cancelled' })
    expect(ran).not.toHaveBeenCalled()
  })

  it('leaves one alone that runs', async () => {
    let release = () => {}
    const busy = defineJob('busy').handler(() => new Promise<void>((end) => (release = end)))
    const { running } = await jobs.start({ busy })
    await busy.enqueue()
    await vi.waitFor(async () => expect((await firstOf(running, 'busy')).state).toBe('running'))
    const { id } = await firstOf(running, 'busy')
    expect(await running.cancel(id, 'busy')).toEqual({ isMoved: false, state: 'running' })
    release()
    await vi.waitFor(async () => expect((await firstOf(running, 'busy')).state).toBe('done'))
  })
})

it('no job is moved by an id that is unknown, or is that of another job', async () => {
  const { id, running, state } = await failed('named')
  expect(await running.retry(unknown, 'named')).toBeNull()
  expect(await running.cancel('not an id', 'named')).toBeNull()
  expect(await running.retry(id, 'no-such-job')).toBeNull()
  expect(await state()).toBe('failed')
})

it('a job that the server does not run is neither listed nor moved: it would wait for ever', async () => {
  const left = defineJob('left').handler(() => {})
  const before = await jobs.start({ left })
  await keep('left', 'failed', 1)
  const { id } = await firstOf(before.running, 'left')
  await before.stop()
  const { running } = await jobs.start({ other: defineJob('other').handler(() => {}) })
  expect((await running.list()).jobs.map(({ job }) => job)).not.toContain('left')
  expect((await running.list({ job: 'left' })).jobs).toEqual([])
  expect(await running.find(id)).toBeNull()
  expect((await running.queues()).map(({ job }) => job)).toEqual(['other'])
  expect(await running.retry(id, 'left')).toBeNull()
})

describe('the index of lists', () => {
  const index = async () =>
    (await jobs.database.pool.query(`select to_regclass('svc_jobs.svc_jobs_by_state') as name`))
      .rows[0]?.name
  const job = defineJob('indexed').handler(() => {})

  it('is made by one of the instances that start together', async () => {
    await jobs.database.pool.query('drop index svc_jobs.svc_jobs_by_state')
    await Promise.all([jobs.start({ job }), jobs.start({ job }), jobs.start({ job })])
    expect(await index()).not.toBeNull()
    expect(jobs.lines).toEqual([])
  })

  it('is left to an operator where there are many jobs, and jobs run without it', async () => {
    const { pool } = jobs.database
    await pool.query('drop index svc_jobs.svc_jobs_by_state')
    await pool.query(
      `update pg_class set reltuples = 2e6 where oid = 'svc_jobs.job_common'::regclass`,
    )
    const { running } = await jobs.start({ job })
    expect(await index()).toBeNull()
    expect(jobs.lines).toMatchObject([
      {
        level: 'warn',
        run: expect.stringMatching(/^create index concurrently .*svc_jobs_by_state/),
      },
    ])
    expect((await running.list({ job: 'indexed' })).jobs).toEqual([])
  })
})
