import { defineJob, defineJobRouter, defineRouter, defineServer } from '@svc/core'
import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { authenticate } from '../authenticate/authenticate.ts'
import { deviceKeys } from '../keys/schema.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { limitOf } from '../limits/testing/limits.ts'
import { authRouter } from '../router.ts'
import { startTestAuth, type TestAuth, type TestUser } from '../testing.ts'
import { backgroundJobContract } from './contract.ts'
import { keptJob } from './testing/jobs.ts'

const print = vi.fn()
const definition = defineServer()
  .routes(defineRouter({}).packages([authRouter]).use([authenticate]))
  .lifecycle(createAuthLifecycle({ templates: { 'new-device': null } }))
  .jobs(defineJobRouter({ print: defineJob('shop/print').retry({ limit: 0 }).handler(print) }))
const job = 'shop/print'
const unknown = '00000000-0000-4000-8000-000000000000'

let auth: TestAuth
let root: TestUser

beforeAll(async () => {
  auth = await startTestAuth({ definition, env: { SVC_RATE_LIMIT: 'on' } })
  root = await auth.signedInUser({ role: 'admin' })
})
afterAll(() => auth.stop())

const queues = (user = root) => auth.call('listJobQueues', undefined, user.key)
const list = (query: Record<string, unknown> = {}, user = root) =>
  auth.call('listJobs', undefined, user.key, { query })
const read = (jobId: string, user = root) =>
  auth.call('readJob', undefined, user.key, { params: { jobId } })
const change = (name: 'retryJob' | 'cancelJob', jobId: string, user = root, of = job) =>
  auth.call(name, { job: of }, user.key, { params: { jobId } })
const stateOf = async (jobId: string) =>
  (await list({ job, limit: 100 })).body.jobs.find(
    (each: { jobId: string }) => each.jobId === jobId,
  )?.state
const lines = (act: string) =>
  auth.auth.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.act, act))
    .orderBy(desc(auditEvents.auditId))

describe('listJobQueues', () => {
  it('has the application’s jobs and those of sign-in, with their schedules', async () => {
    await keptJob(auth, 'created', { job })
    const { status, body } = await queues()
    expect(status).toBe(200)
    const byName = new Map(body.queues.map((each: { job: string }) => [each.job, each]))
    expect(byName.get(job)).toEqual({
      job,
      due: 0,
      later: 1,
      running: 0,
      failed: 0,
      hasMore: false,
    })
    expect([...byName.keys()]).toContain('auth.notice')
    expect(byName.get('svc.forget-expired')).toMatchObject({
      cron: {
        expression: '17 * * * *',
        timezone: 'UTC',
        nextRunAt: expect.stringMatching(/:17:00/),
      },
    })
  })
})

describe('listJobs', () => {
  it('has how a job has failed, and nothing of its input', async () => {
    const data = { input: { text: 'only-for-the-receiver' } }
    const { jobId } = await keptJob(auth, 'failed', { job, data })
    const { status, body } = await list({ job, state: 'failed' })
    expect(status).toBe(200)
    expect(body.jobs[0]).toEqual({
      jobId,
      job,
      state: 'failed',
      attempt: 1,
      retryLimit: 0,
      createdAt: expect.any(String),
      startAfter: expect.any(String),
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      error: { name: 'PrinterError', message: 'out of paper' },
    })
    expect(JSON.stringify(body)).not.toContain('only-for-the-receiver')
  })

  it('has 100 on a page at most, and says where the next one begins', async () => {
    for (let n = 0; n < 3; n++) await keptJob(auth, 'created', { job })
    const first = await list({ job, state: 'waiting', limit: 2 })
    expect(first.body).toMatchObject({ jobs: [{}, {}], next: expect.any(String) })
    const second = await list({ job, state: 'waiting', limit: 2, after: first.body.next })
    const ids = [...first.body.jobs, ...second.body.jobs].map(({ jobId }) => jobId)
    expect(new Set(ids).size).toBe(4)
    for (const query of [{ limit: 101 }, { state: 'active' }, { job: 'no name' }]) {
      expect((await list(query)).status).toBe(400)
    }
  })

  it('refuses a place that it has not written', async () => {
    const { next } = (await list({ limit: 1 })).body
    const [tag] = JSON.parse(Buffer.from(next, 'base64url').toString())
    const forged = (place: object) =>
      Buffer.from(JSON.stringify([tag, place])).toString('base64url')
    for (const after of [
      'a',
      forged({ at: 'infinity', id: unknown }),
      forged({ at: '1', id: 'x' }),
    ]) {
      expect(await list({ after })).toMatchObject({
        status: 400,
        body: { error: { code: 'ValidationError' } },
      })
    }
  })
})

describe('readJob', () => {
  it('has the stack of the error and the input, without secrets and whole addresses', async () => {
    const input = {
      order: 7,
      to: 'grace.hopper@example.com',
      text: 'Call +12025550123, or open https://shop.example.com/?token=only-for-the-receiver.',
      password: 'only-for-the-receiver',
      nested: [{ odd: 'a\u0001b@example.com', apiKey: 'only-for-the-receiver' }],
    }
    const stack =
      'PrinterError: out of paper\n    at print (shop.ts:7:1) for grace.hopper@example.com'
    const output = { name: 'PrinterError', message: 'out of paper', stack }
    const { jobId } = await keptJob(auth, 'failed', { job, data: { input }, output })
    const [listed] = (await list({ job, state: 'failed' })).body.jobs
    const { status, body } = await read(jobId)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...listed,
      jobId,
      error: {
        ...listed.error,
        stack: 'PrinterError: out of paper\n    at print (shop.ts:7:1) for g***@example.com',
      },
      input: expect.any(String),
    })
    expect(JSON.parse(body.input)).toMatchObject({
      order: 7,
      to: 'g***@example.com',
      text: 'Call +12***23, or open https://shop.example.com/?token=[redacted]',
      password: '[redacted]',
      nested: [{ apiKey: '[redacted]' }],
    })
    expect(JSON.stringify(body)).not.toMatch(/only-for-the-receiver|grace\.hopper|5550123/)
  })

  it('has no input that is too long to be searched for secrets, and none of a job without one', async () => {
    const long = { token: 'only-for-the-receiver', text: 'x'.repeat(100_000) }
    const [longOne, none] = [
      await keptJob(auth, 'created', { job, data: { input: long } }),
      await keptJob(auth, 'created', { job }),
    ]
    for (const { jobId } of [longOne, none]) {
      const { status, body } = await read(jobId)
      expect([status, body.state]).toEqual([200, 'waiting'])
      expect(body).not.toHaveProperty('input')
      expect(body).not.toHaveProperty('error')
    }
  })

  it('is a JobNotFoundError for an unknown id', async () => {
    expect(await read(unknown)).toMatchObject({
      status: 404,
      body: { error: { code: 'JobNotFoundError' } },
    })
    expect((await read('not-an-id')).status).toBe(400)
  })
})

describe('retryJob', () => {
  it('has a failed job run again, and writes down who asked', async () => {
    const { jobId } = await keptJob(auth, 'failed', { job })
    expect((await change('retryJob', jobId)).status).toBe(204)
    await vi.waitFor(async () => expect(await stateOf(jobId)).toBe('done'))
    expect(print).toHaveBeenCalledOnce()
    expect((await lines('job.retried'))[0]).toMatchObject({
      outcome: 'done',
      actor: root.userId,
      target: null,
      details: { job, jobId },
      keyId: root.key.keyId,
    })
  })

  it('is done by one of two operators who click at once, with one line in the trail', async () => {
    const other = await auth.signedInUser({ role: 'admin' })
    const { jobId } = await keptJob(auth, 'failed', { job })
    const answers = await Promise.all([change('retryJob', jobId), change('retryJob', jobId, other)])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 409])
    const written = await lines('job.retried')
    expect(written.filter(({ details }) => Object(details).jobId === jobId)).toHaveLength(1)
  })
})

describe('cancelJob', () => {
  it('ends a job that waits, and writes down who asked', async () => {
    const { jobId } = await keptJob(auth, 'created', { job })
    expect((await change('cancelJob', jobId)).status).toBe(204)
    expect(await stateOf(jobId)).toBe('cancelled')
    expect((await lines('job.cancelled'))[0]).toMatchObject({
      outcome: 'done',
      actor: root.userId,
      details: { job, jobId },
    })
  })
})

it.each([
  ['retryJob', 'created', 'waiting'],
  ['cancelJob', 'failed', 'failed'],
] as const)('%s is a ConflictError for a job that is %s', async (name, kept, state) => {
  const { jobId } = await keptJob(auth, kept, { job })
  expect(await change(name, jobId)).toMatchObject({
    status: 409,
    body: { error: { code: 'ConflictError' } },
  })
  expect(await stateOf(jobId)).toBe(state)
})

it.each(['retryJob', 'cancelJob'] as const)(
  '%s is a JobNotFoundError for an unknown id, and under the name of another job',
  async (name) => {
    const { jobId } = await keptJob(auth, name === 'retryJob' ? 'failed' : 'created', { job })
    const answers = [
      await change(name, unknown),
      await change(name, jobId, root, 'auth.notice'),
      await change(name, jobId, root, 'no-such-job'),
    ]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 404, body: { error: { code: 'JobNotFoundError' } } })
    }
  },
)

it('are refused to callers without the permission, suspended ones and strangers', async () => {
  const refused = { stranger: 401, suspended: 403, user: 403 }
  expect(await auth.answersToCallers(backgroundJobContract)).toEqual({
    listJobQueues: refused,
    listJobs: refused,
    readJob: refused,
    retryJob: refused,
    cancelJob: refused,
  })
})

it('are exposed to these callers', () => {
  expect(auth.accessOf(backgroundJobContract)).toEqual([
    'fresh, may job:write cancelJob POST /_auth/admin/jobs/:jobId/cancel',
    'fresh, may job:write retryJob POST /_auth/admin/jobs/:jobId/retry',
    'may job:read listJobQueues GET /_auth/admin/jobs/queues',
    'may job:read listJobs GET /_auth/admin/jobs',
    'may job:read readJob GET /_auth/admin/jobs/:jobId',
  ])
})

it('changes no job for an operator whose proof is not fresh', async () => {
  const operator = await auth.signedInUser({ role: 'admin' })
  const { jobId } = await keptJob(auth, 'failed', { job })
  auth.clock.advance('1h')
  for (const name of ['retryJob', 'cancelJob'] as const) {
    expect(await change(name, jobId, operator)).toMatchObject({
      status: 403,
      body: { error: { code: 'RecentAuthenticationRequiredError' } },
    })
  }
  expect((await list({}, operator)).status).toBe(200)
  root = await auth.signedInUser({ role: 'admin' })
  expect(await stateOf(jobId)).toBe('failed')
})

it('changes no job by a key that is revoked while the request waits', async () => {
  const { db } = auth.auth
  const operator = await auth.signedInUser({ role: 'admin' })
  const { jobId } = await keptJob(auth, 'failed', { job })
  const waiting = sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  const { asked } = await db.transaction(async (tx) => {
    const own = eq(users.userId, operator.userId)
    await tx.select().from(users).where(own).for('no key update')
    const answer = change('retryJob', jobId, operator)
    const inLine = async () => (await db.execute(waiting)).rowCount
    await expect.poll(inLine, { timeout: 10_000 }).toBe(1)
    const key = eq(deviceKeys.keyId, operator.key.keyId)
    await tx.update(deviceKeys).set({ state: 'revoked' }).where(key)
    return { asked: answer }
  })
  expect((await asked).status).toBe(401)
  expect(await stateOf(jobId)).toBe('failed')
})

it.each([
  ['job list by account', () => list()],
  ['job list by account', () => queues()],
  ['job list by account', () => read(unknown)],
  ['job change by account', () => change('retryJob', unknown)],
  ['job change by account', () => change('cancelJob', unknown)],
] as const)('are asked for by each account so often: %s', async (name, ask) => {
  root = await auth.signedInUser({ role: 'admin' })
  for (let n = 0; n < limitOf(name); n++) expect((await ask()).status).not.toBe(429)
  expect(await ask()).toMatchObject({
    status: 429,
    body: { error: { code: 'TooManyRequestsError' } },
  })
  auth.clock.advance('2m')
})
