import { describe, expect, it, vi } from 'vitest'
import { defineJob } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()

describe('a job that fails', () => {
  it('is held up by a queue that cannot be read, says why once, and runs when it can', async () => {
    const ran = vi.fn()
    const one = defineJob('held-one').handler(ran)
    const two = defineJob('held-two').handler(ran)
    await jobs.start({ one, two })
    const soon = { startAfter: new Date(Date.now() + 1000) }
    await Promise.all([one.enqueue(undefined, soon), two.enqueue(undefined, soon)])
    await jobs.database.pool.query('alter schema svc_jobs rename to svc_jobs_away')
    await new Promise((resolve) => setTimeout(resolve, 5000))
    expect(ran).not.toHaveBeenCalled()
    const reasons = jobs.lines.map(({ reason }) => reason)
    expect(jobs.lines[0]).toMatchObject({ level: 'warn', msg: 'jobs are held up' })
    expect(new Set(reasons).size).toBe(reasons.length)
    await jobs.database.pool.query('alter schema svc_jobs_away rename to svc_jobs')
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2), 5000)
  })
})
