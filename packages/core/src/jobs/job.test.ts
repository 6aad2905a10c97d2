import { sql } from 'drizzle-orm'
import { Type as t } from 'typebox'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { connectDatabase } from '../database/server.ts'
import { declaredEnv } from '../env/env.ts'
import { createVirtualClock } from '../testing/virtual-clock.ts'
import { JobInputError } from './errors.ts'
import { defineJob, defineJobRouter, type JobContext } from './jobs.ts'
import { startJobs } from './server.ts'
import { useTestJobs } from './test-jobs.ts'

const clock = createVirtualClock()
const env = declaredEnv([], {})
const jobs = useTestJobs({ clock })
const Order = t.Object({ orderId: t.String() })

describe('enqueue', () => {
  it('runs the job with its input, on the database, the clock and the log of the server', async () => {
    const ran = vi.fn(async (input: { orderId: string }, { db, log, signal }: JobContext) => {
      expect(signal.aborted).toBe(false)
      const { rows } = await db.execute(sql`select ${input.orderId} as id`)
      log.info('shipped')
      return rows
    })
    const ship = defineJob('ship').input(Order).handler(ran)
    await jobs.start(defineJobRouter({ ship }))
    await ship.enqueue({ orderId: 'o1' })
    await vi.waitFor(() => expect(jobs.lines).toHaveLength(1))

    const [input, context] = ran.mock.calls[0] ?? []
    expect(input).toEqual({ orderId: 'o1' })
    expect(context).toMatchObject({ attempt: 1, clock })
    expect(jobs.lines[0]).toMatchObject({ msg: 'shipped', job: 'ship', jobId: expect.any(String) })
  })

  it('starts it at once, without waiting for the next look into the queue', async () => {
    const ran = vi.fn()
    const quick = defineJob('quick').handler(ran)
    await jobs.start({ quick })
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const times of [1, 2]) {
      await quick.enqueue()
      await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(times), 500)
    }
    await jobs.database.db.transaction(() => quick.enqueue())
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(3), 500)
  })

  it('starts another while one is still running', async () => {
    let finish = () => {}
    const ran = vi.fn(() => new Promise<void>((resolve) => void (finish = resolve)))
    const long = defineJob('long').handler(ran)
    await jobs.start({ long })
    await long.enqueue()
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(1))
    const finishFirst = finish
    await long.enqueue()
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(2), 500)
    finishFirst()
    finish()
  })

  it('waits until the moment that it is given', async () => {
    const ran = vi.fn()
    const later = defineJob('later').handler(ran)
    await jobs.start({ later })
    // Past the next look into the queue.
    await later.enqueue(undefined, { startAfter: new Date(Date.now() + 3500) })
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(ran).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(ran).toHaveBeenCalledOnce(), 5000)
  })

  it('goes through a backlog without pausing, also while others run long', async () => {
    const { promise: end, resolve: finish } = Promise.withResolvers<void>()
    const ran = vi.fn()
    const backlog = defineJob('backlog')
      .input(t.Boolean())
      .handler(async (isLong) => {
        ran()
        if (isLong) await end
      })
    await jobs.start({ backlog })
    for (const times of [1, 2, 3]) {
      await backlog.enqueue(true)
      await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(times), 500)
    }
    await jobs.database.db.transaction(async () => {
      for (let count = 0; count < 10; count++) await backlog.enqueue(false)
    })
    await vi.waitFor(() => expect(ran).toHaveBeenCalledTimes(13), 1000)
    finish()
  })

  it('refuses an input that the schema does, and writes nothing', async () => {
    const strict = defineJob('strict').input(Order).handler(vi.fn())
    await jobs.start({ strict })
    const wrong = { orderId: 7 } as unknown as { orderId: string }
    await expect(strict.enqueue(wrong)).rejects.toThrow(JobInputError)
    await expect(strict.enqueue(wrong)).rejects.toMatchObject({
      job: 'strict',
      fields: [{ path: 'input.orderId' }],
    })
    expect(await jobs.rows('strict')).toEqual([])
  })

  it('refuses an input that would be another one when it is read', async () => {
    const dated = defineJob('dated')
      .input(z.object({ at: z.date() }))
      .handler(vi.fn())
    const coerced = defineJob('coerced').input(z.object({ at: z.coerce.date() }))
    const ran = vi.fn()
    const coercedJob = coerced.handler(({ at }) => ran(at))
    await jobs.start({ dated, coercedJob })
    const at = new Date()
    await expect(dated.enqueue({ at })).rejects.toThrow(JobInputError)
    await coercedJob.enqueue({ at })
    await vi.waitFor(() => expect(ran).toHaveBeenCalledExactlyOnceWith(at))
  })

  it('needs a server that runs the job', async () => {
    const nobodys = defineJob('nobodys').handler(vi.fn())
    await expect(nobodys.enqueue()).rejects.toThrow(
      'No running server has the job nobodys: pass it to defineJobRouter',
    )
    const { stop } = await jobs.start({ nobodys })
    await stop()
    await expect(nobodys.enqueue()).rejects.toThrow('No running server has the job nobodys')
  })
})

describe('enqueue in a transaction', () => {
  const ran = vi.fn()
  const mail = defineJob('mail')
    .input(Order)
    .handler(({ orderId }) => ran(orderId))

  it('keeps the job with a commit, and hides it until then', async () => {
    await jobs.start({ mail })
    await jobs.database.db.transaction(async () => {
      await mail.enqueue({ orderId: 'kept' })
      expect(await jobs.rows('mail')).toEqual([])
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(ran).not.toHaveBeenCalled()
    })
    expect(await jobs.rows('mail')).toHaveLength(1)
    await vi.waitFor(() => expect(ran).toHaveBeenCalledExactlyOnceWith('kept'), 500)
  })

  it('drops the job with a rollback', async () => {
    await jobs.start({ mail })
    const failed = jobs.database.db.transaction(async (tx) => {
      await mail.enqueue({ orderId: 'undone' })
      const { rows } = await tx.execute(sql`
        select from svc_jobs.job where name = 'mail' and state = 'created'`)
      expect(rows).toHaveLength(1)
      throw new Error('undo')
    })
    await expect(failed).rejects.toThrow('undo')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(JSON.stringify(await jobs.rows('mail'))).not.toContain('undone')
    expect(ran).not.toHaveBeenCalledWith('undone')
  })

  it('needs no connection beside the transaction’s, so that a small pool is enough', async () => {
    const small = await connectDatabase(jobs.database.url, { log: jobs.log, maxConnections: 2 })
    const busy = defineJob('busy').handler((_, { db }) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select pg_sleep(0.01)`)
      }),
    )
    const { stop } = await startJobs([busy], { database: small, log: jobs.log, clock, env })
    await Promise.all(Array.from({ length: 16 }, () => small.db.transaction(() => busy.enqueue())))
    await vi.waitFor(async () => {
      const rows = await jobs.rows('busy')
      expect(rows.filter(({ state }) => state === 'completed')).toHaveLength(16)
    }, 10_000)
    await stop()
    await small.close()
  })
})

describe('instances of one database', () => {
  it('run each of many jobs once', async () => {
    const ran = vi.fn()
    const each = defineJob('each')
      .input(t.Integer())
      .handler((n) => ran(n))
    await jobs.start({ each })
    await jobs.start({ each })
    await jobs.start({ each })
    const numbers = Array.from({ length: 200 }, (_, n) => n)
    await Promise.all(numbers.map((n) => each.enqueue(n)))
    await vi.waitFor(() => expect(ran.mock.calls.length).toBeGreaterThanOrEqual(200), 15_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(ran.mock.calls.map(([n]) => n).toSorted((a, b) => a - b)).toEqual(numbers)
  })
})
