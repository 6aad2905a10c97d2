import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** How many statements of this database wait for a lock. */
async function fetchesThatWait() {
  const { rows } = await jobs.database.pool.query(
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and query like '%svc_jobs.job%'`,
  )
  return rows.length
}

describe('stop', () => {
  it('waits for the jobs that are running, and starts no more', async () => {
    const done = vi.fn()
    const started = vi.fn()
    const slow = defineJob('slow').handler(async () => {
      started()
      await wait(1200)
      done()
    })
    const { stop } = await jobs.start({ slow })
    await slow.enqueue()
    await vi.waitFor(() => expect(started).toHaveBeenCalled())
    const stopping = stop()
    await slow.enqueue()
    await stopping
    expect(done).toHaveBeenCalledTimes(1)
    expect(started).toHaveBeenCalledTimes(1)
    expect(new Set((await jobs.rows('slow')).map(({ state }) => state))).toEqual(
      new Set(['completed', 'created']),
    )
  })

  it('gives back a job that it fetched while it began to stop, and no attempt is lost', async () => {
    const attempts: number[] = []
    const late = defineJob('late')
      .retry({ limit: 0 })
      .handler(async (_, { attempt }) => {
        attempts.push(attempt)
      })
    const { stop } = await jobs.start({ late })
    let stopping: Promise<void> | undefined
    await jobs.database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table svc_jobs.job in share row exclusive mode`)
      await late.enqueue()
      await vi.waitFor(async () => expect(await fetchesThatWait()).toBeGreaterThan(0), 10_000)
      stopping = stop()
    })
    await stopping
    expect(attempts).toEqual([])
    expect(await jobs.rows('late')).toMatchObject([{ state: 'created', retry_count: 0 }])

    await jobs.start({ late })
    await vi.waitFor(() => expect(attempts).toEqual([1]), 10_000)
    await vi.waitFor(async () =>
      expect(await jobs.rows('late')).toMatchObject([{ state: 'completed' }]),
    )
  })

  it('gives up after 4 s a job that does not end, aborts it and leaves it to another instance', async () => {
    const attempts: number[] = []
    const aborted = vi.fn()
    const endless = defineJob('endless')
      .retry({ delaySeconds: 1 })
      .handler(async (_, { attempt, signal }) => {
        attempts.push(attempt)
        if (attempt > 1) return
        signal.addEventListener('abort', aborted)
        await new Promise(() => {})
      })
    const { stop } = await jobs.start({ endless })
    await endless.enqueue()
    await vi.waitFor(() => expect(attempts).toEqual([1]))
    const began = performance.now()
    await stop()
    expect(performance.now() - began).toBeGreaterThan(3500)
    expect(performance.now() - began).toBeLessThan(6000)
    expect(aborted).toHaveBeenCalledOnce()
    expect(jobs.lines).toMatchObject([{ level: 'warn', job: 'endless', attempt: 1 }])

    await jobs.start({ endless })
    await vi.waitFor(() => expect(attempts).toEqual([1, 2]), 10_000)
  })
})
