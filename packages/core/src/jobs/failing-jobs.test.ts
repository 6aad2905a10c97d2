import { sql } from 'drizzle-orm'
import { Type as t } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { defineJob, type JobContext } from './jobs.ts'
import { useTestJobs } from './test-jobs.ts'

const jobs = useTestJobs()
const Text = t.Object({ text: t.String() })
const secret = { text: 'only-for-the-receiver' }

const inState = (name: string, state: string) =>
  vi.waitFor(async () => expect(await jobs.rows(name)).toMatchObject([{ state }]), 15_000)

describe('a job that fails', () => {
  it('is tried again after a growing delay, and told which attempt it is', async () => {
    const attempts: { attempt: number; at: number }[] = []
    const shaky = defineJob('shaky')
      .retry({ limit: 3, delaySeconds: 1 })
      .handler((_, { attempt }) => {
        attempts.push({ attempt, at: performance.now() })
        if (attempt < 3) throw new Error('not yet')
      })
    await jobs.start({ shaky })
    await shaky.enqueue()
    await inState('shaky', 'completed')

    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const [first = 0, second = 0, third = 0] = attempts.map(({ at }) => at)
    expect(second - first).toBeGreaterThan(500)
    expect(third - second).toBeGreaterThan(1000)
    expect(jobs.lines).toMatchObject([
      { level: 'warn', job: 'shaky', attempt: 1, err: { message: 'not yet' } },
      { level: 'warn', job: 'shaky', attempt: 2, err: { message: 'not yet' } },
    ])
  })

  it('is kept as failed after the last attempt, with a line that says so', async () => {
    const hopeless = defineJob('hopeless')
      .retry({ limit: 1, delaySeconds: 1 })
      .handler(() => Promise.reject(new TypeError('never')))
    await jobs.start({ hopeless })
    await hopeless.enqueue()
    await inState('hopeless', 'failed')
    expect(await jobs.rows('hopeless')).toMatchObject([
      { retry_count: 1, output: { name: 'TypeError', message: 'never' } },
    ])
    expect(jobs.lines.at(-1)).toMatchObject({
      level: 'error',
      job: 'hopeless',
      attempt: 2,
      msg: 'job failed for good',
    })
  })

  it('leaves nothing of its input in the log or in what is kept of the failure', async () => {
    const query = async ({ text }: { text: string }, { db }: JobContext) => {
      await db.execute(sql`select ${text}::uuid, no_such_function(${text})`)
    }
    const leaky = defineJob('leaky').input(Text).retry({ limit: 0 }).handler(query)
    await jobs.start({ leaky })
    await leaky.enqueue(secret)
    await inState('leaky', 'failed')
    const [row] = await jobs.rows('leaky')
    expect(row?.output).toMatchObject({ message: expect.stringContaining('no_such_function') })
    expect(JSON.stringify([jobs.lines, row?.output])).not.toContain(secret.text)
  })

  it('does not stop the ones after it', async () => {
    const ran = vi.fn()
    const mixed = defineJob('mixed')
      .input(Text)
      .retry({ limit: 0 })
      .handler(({ text }) => {
        if (text === 'bad') throw new Error('bad')
        ran(text)
      })
    await jobs.start({ mixed })
    await mixed.enqueue({ text: 'bad' })
    await mixed.enqueue({ text: 'good' })
    await vi.waitFor(() => expect(ran).toHaveBeenCalledExactlyOnceWith('good'))
  })

  it('fails when its row holds what its schema no longer takes', async () => {
    const ran = vi.fn()
    const before = defineJob('changed').input(t.Any()).handler(ran)
    const after = defineJob('changed').input(Text).retry({ limit: 0 }).handler(ran)
    const { stop } = await jobs.start({ before })
    await before.enqueue({ words: 'old' }, { startAfter: new Date(Date.now() + 1000) })
    await stop()
    await jobs.database.pool.query(`update svc_jobs.job set retry_limit = 0 where name = 'changed'`)
    await jobs.start({ after })
    await inState('changed', 'failed')
    expect(ran).not.toHaveBeenCalled()
    expect(jobs.lines).toMatchObject([{ err: { type: 'Error', message: /does not match/ } }])
  })
})
