import { setTimeout as pause } from 'node:timers/promises'
import { allow } from '@svc/auth/server'
import { startTestAuth, type TestAuth, type TestUser } from '@svc/auth/testing'
import {
  type AnyRoute,
  defineRouter,
  perMinute,
  route,
  type ToolTask,
  type ToolTaskState,
  t,
} from '@svc/core'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { mcp } from './mcp.ts'
import { agentToken, agentTokens, anyResult, ask, connect, narrowed } from './test-client.ts'

const state = ({ is }: { is: ToolTaskState }) => is
const task: ToolTask = { read: 'readJob1', params: { jobId: 'id' }, state, pollSeconds: 0.1 }
const words = { title: 'Start', describe: 'Starts a job.' }
const started = { id: 'a job' }

/** The state that the job is in now. */
let now: ToolTaskState = 'working'
let reads = 0
/** What happens while a job is cancelled. */
let cancels = () => {}
afterEach(() => {
  now = 'working'
  cancels = () => {}
})

type Who = <Declared extends AnyRoute>(route: Declared) => Declared
const may: Who = allow.may('job:run')
const start = (
  path: `/${string}`,
  given: Partial<ToolTask> = {},
  { who = may, answer = started }: { who?: Who; answer?: unknown } = {},
) =>
  who(
    route
      .post(path)
      .tool({ ...words, task: { ...task, ...given } })
      .handler(() => answer),
  )

const reading = (path: `/${string}`, answer: () => unknown, who = may) =>
  who(
    route
      .get(path)
      .input({ query: t.Object({ jobId: t.String() }) })
      .handler(answer),
  )

const tools = {
  startJob: start('/start'),
  startLimited: start('/limited', { read: 'readLimited' }),
  startFailing: start('/failing', { read: 'readFailing' }),
  startText: start('/text', { read: 'readText' }),
  startOdd: start('/odd', { read: 'readOdd' }),
  startNothing: start('/nothing', {}, { answer: { other: 1 } }),
  startBytes: start('/bytes', {}, { answer: 'a text' }),
  startBound: start('/bound', { cancel: 'failToCancel' }),
  startApproved: start('/approved', {}, { who: allow.approved(allow.may('job:run')) }),
}

const routes = {
  ...tools,
  countJobs: may(
    route
      .get('/count')
      .tool({ title: 'Count', describe: 'Counts jobs.' })
      .handler(() => ({ count: 1 })),
  ),
  readJob1: reading('/jobs', () => {
    reads += 1
    return { is: now, secret: 'of the user' }
  }),
  failToCancel: may(
    route
      .delete('/jobs')
      .input({ query: t.Object({ jobId: t.String() }) })
      .handler(() => {
        cancels()
        throw new Error('A detail of the bug.')
      }),
  ),
  readLimited: allow.may('job:run')(
    route
      .get('/limited')
      .input({ query: t.Object({ jobId: t.String() }) })
      .limit(perMinute(1), 'by caller')
      .handler(() => ({ is: 'working' })),
  ),
  readFailing: reading('/failing', () => {
    throw new Error('A detail of the bug.')
  }),
  readText: reading('/text', () => new Response('text')),
  readOdd: reading('/odd', () => ({ is: 'halfway' })),
}

const options = {
  permissions: [
    { name: 'job:run', displayName: 'Run jobs', category: 'job' },
    { name: 'job:other', displayName: 'Something else', category: 'job' },
  ],
  rolePermissions: { user: ['job:run', 'job:other'] },
  authorizationServer: {
    scopes: { 'job:run': 'Run jobs', 'job:other': 'Something else' },
    resources: ['/mcp'],
    registration: 'open' as const,
    budget: { calls: [perMinute(30)] },
  },
}

const about = { path: '/mcp', name: 'jobs', version: '1' } as const
const auth = await startTestAuth({
  options,
  router: defineRouter({ ...routes, mcp: mcp({ ...about, tools: Object.keys(tools) }) }),
  env: { SVC_RATE_LIMIT: 'on' },
})
afterAll(() => auth.stop())

const user = await auth.signedInUser()
const token = await agentToken(auth, user, 'job:run')

const call = async (name: string, by = token) =>
  (await ask(auth, by, { method: 'tools/call', params: { name } })).body
const get = async (taskId: string, by = token) =>
  (await ask(auth, by, { method: 'tasks/get', params: { taskId } })).body
const failed = { code: -32_603, message: expect.not.stringContaining('detail') }

describe('a task that can not be read now', () => {
  it('is not failed: the client is told to wait, as the route says', async () => {
    const { taskId } = (await call('startLimited')).result
    expect((await get(taskId)).result.status).toBe('working')
    const message = expect.stringContaining('TooManyRequestsError')
    expect((await get(taskId)).error).toMatchObject({ code: -32_603, message })
  })

  it('says nothing of a bug, which is in the log', async () => {
    for (const name of ['startFailing', 'startText', 'startOdd']) {
      const { taskId } = (await call(name)).result
      expect((await get(taskId)).error, name).toMatchObject(failed)
    }
    for (const name of ['startNothing', 'startBytes']) {
      const { result, error } = await call(name)
      expect(JSON.stringify({ result, error }), name).toMatch(/isError|-32603/)
      expect(result?.taskId, name).toBeUndefined()
    }
  })
})

describe('a job that can not be cancelled now', () => {
  const cancel = async (taskId: string) =>
    (await ask(auth, token, { method: 'tasks/cancel', params: { taskId } })).body

  it('goes on, and the client is told so', async () => {
    const { taskId } = (await call('startBound')).result
    expect((await cancel(taskId)).error).toMatchObject(failed)
    expect((await get(taskId)).result.status).toBe('working')
  })

  it('is not needed any more if it has ended meanwhile', async () => {
    const { taskId } = (await call('startBound')).result
    cancels = () => {
      now = 'completed'
    }
    expect((await cancel(taskId)).result).toMatchObject({ resultType: 'complete' })
  })
})

describe('a request that waits for a task, in 2025-11-25', () => {
  async function waiting(by: string) {
    const client = await connect(auth, by, '2025-11-25')
    const request = (method: string, params: object) =>
      client.request({ method, params: { ...params } }, anyResult)
    const { task: made } = await request('tools/call', { name: 'startJob', task: {} })
    const before = reads
    const result = request('tasks/result', { taskId: made.taskId })
    // It is refused later, while the test looks elsewhere.
    result.catch(() => undefined)
    await vi.waitFor(() => expect(reads).toBeGreaterThan(before + 1))
    return { result, taskId: made.taskId }
  }

  it('has the result when the job is over', async () => {
    const { result } = await waiting(token)
    now = 'completed'
    expect(await result).toMatchObject({ structuredContent: { secret: 'of the user' } })
  })

  it('has nothing once the user has taken the grant back', async () => {
    const leaver = await auth.signedInUser()
    const { result } = await waiting(await agentToken(auth, leaver, 'job:run'))
    await revoke(leaver)
    now = 'completed'
    await expect(result).rejects.toMatchObject({
      code: -32_602,
      message: 'There is no such task.',
    })
  })
})

describe('a request that waits for a task', () => {
  /** Waits for a job that does not end, until it is told to leave. */
  async function waiting(app: TestAuth, by: string) {
    const client = await connect(app, by, '2025-11-25')
    const called = { method: 'tools/call', params: { name: 'startJob', task: {} } }
    const { task: made } = await client.request(called, anyResult)
    const left = new AbortController()
    const before = reads
    const answered = app.fetch('/mcp', {
      method: 'POST',
      signal: left.signal,
      headers: {
        authorization: `Bearer ${by}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tasks/result',
        params: { taskId: made.taskId },
      }),
    })
    const text = answered.then((answer) => answer.text())
    text.catch(() => undefined)
    await vi.waitFor(() => expect(reads).toBeGreaterThan(before + 1))
    return { text, leave: () => left.abort() }
  }

  it('reads the state no more once its client has gone', async () => {
    const { leave, text } = await waiting(auth, token)
    leave()
    await expect(text).rejects.toThrow('aborted')
    await pause(300)
    const before = reads
    await pause(800)
    expect(reads).toBe(before)
  })

  it('has its answer at once when the server stops', async () => {
    const app = await startTestAuth({
      options,
      router: defineRouter({ ...routes, mcp: mcp({ ...about, tools: ['startJob'] }) }),
    })
    const by = await agentToken(app, await app.signedInUser(), 'job:run')
    const { text } = await waiting(app, by)
    const began = performance.now()
    await app.stop()
    expect(performance.now() - began).toBeLessThan(5000)
    expect(await text).toContain('The task is still working.')
  })
})

async function revoke(leaver: TestUser) {
  const { body } = await auth.call('listOAuth2Grants', undefined, leaver.key)
  const params = { grantId: body.grants[0].grantId }
  await auth.call('revokeOAuth2Grant', undefined, leaver.key, { params })
}

describe('a call about a task', () => {
  it('needs the scope of its tool, and the response says which (RFC 6750, 3.1)', async () => {
    const tokens = await agentTokens(auth, user, 'job:run job:other')
    const { taskId } = (await call('startJob', tokens.access_token)).result
    const less = await narrowed(auth, tokens, 'job:other')
    const answer = await ask(auth, less, { method: 'tasks/get', params: { taskId } })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('scope="job:other job:run"')
    // Of a task that is not its own it learns nothing.
    const other = await ask(auth, less, { method: 'tasks/get', params: { taskId: 'x.y' } })
    expect(other.body.error.code).toBe(-32_602)
  })

  it('counts against the budget of the agent', async () => {
    const by = await agentToken(auth, await auth.signedInUser(), 'job:run')
    const { taskId } = (await call('startJob', by)).result
    for (let at = 1; at < 30; at += 1) expect((await get(taskId, by)).result).toBeDefined()
    const refused = await ask(auth, by, { method: 'tasks/get', params: { taskId } })
    expect(refused.status).toBe(429)
  })
})

describe('a tool whose call the owner approves', () => {
  it('starts its task then, and never before', async () => {
    const before = await call('startApproved')
    expect(before.result).toMatchObject({ resultType: 'complete', isError: true })
    const { body } = await auth.call('listApprovals', undefined, user.key)
    const params = { approvalId: body.approvals[0].approvalId }
    await auth.call('approveCall', {}, user.key, { params })
    expect((await call('startApproved')).result).toMatchObject({ resultType: 'task' })
  })
})

describe('an endpoint of tasks', () => {
  const starting = (read: ReturnType<typeof reading>) =>
    startTestAuth({
      options,
      router: defineRouter({
        startJob: tools.startJob,
        readJob1: read,
        mcp: mcp({ ...about, tools: ['startJob'] }),
      }),
    })

  it('does not start if no agent can read the state, or its owner approves each reading', async () => {
    const forPeople = reading('/jobs', () => ({}), allow.bearer)
    await expect(starting(forPeople)).rejects.toThrow(
      'its task names the route "readJob1", which lets no agent in',
    )
    const approved = reading('/jobs', () => ({}), allow.approved(allow.may('job:run')))
    await expect(starting(approved)).rejects.toThrow('which has its owner approve each call')
  })

  it('ignores the task of a client where no tool has one', async () => {
    const app = await startTestAuth({
      options,
      router: defineRouter({ ...routes, mcp: mcp({ ...about, tools: ['countJobs'] }) }),
    })
    onTestFinished(() => app.stop())
    const by = await agentToken(app, await app.signedInUser(), 'job:run')
    const client = await connect(app, by, '2025-11-25')
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks')
    const called = { method: 'tools/call', params: { name: 'countJobs', task: {} } }
    expect(await client.request(called, anyResult)).toMatchObject({
      structuredContent: { count: 1 },
    })
    const asked = { method: 'tasks/get', params: { taskId: 'a task' } }
    await expect(client.request(asked, anyResult)).rejects.toMatchObject({ code: -32_601 })
  })

  it('may read the state with a route that is open to all', async () => {
    const app = await starting(reading('/jobs', () => ({}), allow.public))
    onTestFinished(() => app.stop())
    expect(app.url).toBeDefined()
  })
})
