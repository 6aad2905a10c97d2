import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { agentToken, anyResult, ask, connect, extension, revisions } from './test-client.ts'
import {
  calls,
  deleteExport,
  endExport,
  endExports,
  startExportApp,
  started,
} from './test-exports.ts'

const auth = await startExportApp()
afterEach(endExports)
afterAll(() => auth.stop())

const admin = await auth.signedInUser({ role: 'admin' })
const token = await agentToken(auth, admin, 'note:read note:write')
const revision = '2026-07-28'
type Revision = keyof typeof revisions
const notThere = { code: -32_602, message: 'There is no such task.' }

const exporting = { name: 'startExport', arguments: { of: 'all' } }

/** Starts an export as an agent that takes tasks. */
async function start(by = token, called: { name: string; arguments?: object } = exporting) {
  const { body } = await ask(auth, by, { method: 'tools/call', params: called })
  return { ...body.result, exportId: started.at(-1) ?? '' }
}

const askFor = async (method: string, taskId: string, by = token) =>
  (await ask(auth, by, { method, params: { taskId, inputResponses: {} } })).body
const get = (taskId: string, by = token) => askFor('tasks/get', taskId, by)

/** The task once it is over. */
async function ended(taskId: string, by = token) {
  for (;;) {
    const { result, error } = await get(taskId, by)
    if (error) throw new Error(JSON.stringify(error))
    if (result.status !== 'working') return result
  }
}

/** The same by a client of 2025-11-25. */
async function legacyClient(by = token) {
  const client = await connect(auth, by, '2025-11-25')
  const request = (method: string, params: object) =>
    client.request({ method, params: { ...params } }, anyResult)
  return {
    client,
    request,
    start: async (called: object = exporting) => {
      const { task } = await request('tools/call', { ...called, task: { ttl: 60_000 } })
      return { ...task, exportId: started.at(-1) ?? '' }
    },
    get: (taskId: string) => request('tasks/get', { taskId }),
    result: (taskId: string) => request('tasks/result', { taskId }),
    cancel: (taskId: string) => request('tasks/cancel', { taskId }),
  }
}

describe('a tool that starts a job, in 2026-07-28', () => {
  it('answers with a task, whose state the route of the job has', async () => {
    const { exportId, ...task } = await start()
    const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]+\.[\w-]{43}$/),
      status: 'working',
      createdAt: isoTime,
      lastUpdatedAt: isoTime,
      ttlMs: null,
      pollIntervalMs: 100,
      _meta: expect.anything(),
    })
    const { taskId } = task
    expect((await get(taskId)).result).toMatchObject({ resultType: 'complete', status: 'working' })
    endExport(exportId)
    expect(await ended(taskId)).toMatchObject({
      taskId,
      createdAt: task.createdAt,
      status: 'completed',
      // The view of the route that reads the state.
      result: { content: [{ text: '{"rows":"a,b"}' }], structuredContent: { rows: 'a,b' } },
    })
  })

  it('has completed with an error for the model if its job has failed', async () => {
    const { taskId, exportId } = await start()
    endExport(exportId, 'failed')
    const result = { isError: true, structuredContent: { rows: 'a,b' } }
    expect(await ended(taskId)).toMatchObject({ status: 'completed', result })
  })

  it('is cancelled by the route that does it, and a second time does nothing', async () => {
    const { taskId, exportId } = await start()
    const cancels = () => calls.filter((each) => each === `cancel ${exportId}`).length
    for (const _ of [1, 2]) {
      const { result } = await askFor('tasks/cancel', taskId)
      expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() })
      const { result: task } = await get(taskId)
      expect(task.status).toBe('cancelled')
      expect(task).not.toHaveProperty('result')
    }
    expect(cancels()).toBe(1)
    endExport(exportId)
    expect((await get(taskId)).result.status).toBe('cancelled')
  })

  it('goes on if no route cancels it: the client is only not interested any more', async () => {
    const { taskId } = await start(token, { name: 'startReport' })
    expect((await askFor('tasks/cancel', taskId)).result).toMatchObject({ resultType: 'complete' })
    expect((await get(taskId)).result).toMatchObject({ status: 'working', pollIntervalMs: 5000 })
  })

  it('asks for nothing, and ignores answers', async () => {
    const { taskId } = await start()
    const { result } = await askFor('tasks/update', taskId)
    expect(result).toEqual({ resultType: 'complete', _meta: expect.anything() })
  })

  it('is a task for a client that says with the call that it takes one, and for no other', async () => {
    const plain = { method: 'tools/call', params: exporting, extensions: {} }
    const { body } = await ask(auth, token, plain)
    expect(body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { state: 'working' },
    })
    const { taskId } = await start()
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const refused = await ask(auth, token, { method, params: { taskId }, extensions: {} })
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: {
            code: -32_021,
            data: { requiredCapabilities: { extensions: { [extension]: {} } } },
          },
        },
      })
    }
  })

  it('is refused as its route refuses, for the model to read', async () => {
    const { body } = await ask(auth, token, {
      method: 'tools/call',
      params: { ...exporting, arguments: { of: 'nothing' } },
    })
    const content = [{ text: 'ConflictError: No notes.' }]
    expect(body.result).toMatchObject({ resultType: 'complete', isError: true, content })
  })

  it('is what a client of the protocol follows and cancels', async () => {
    const client = await connect(auth, token, revision, { extensions: { [extension]: {} } })
    expect(client.getServerCapabilities()).toMatchObject({ extensions: { [extension]: {} } })
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks')
    const { taskId } = await start()
    const request = (method: string) => client.request({ method, params: { taskId } }, anyResult)
    expect(await request('tasks/get')).toMatchObject({ status: 'working' })
    await request('tasks/cancel')
    expect(await request('tasks/get')).toMatchObject({ status: 'cancelled' })
  })
})

describe('a tool that starts a job, in 2025-11-25', () => {
  it('answers with a task to a client that asks for one, and has its result when it is over', async () => {
    const { client, start: startHere, get: getHere, result } = await legacyClient()
    const capabilities = { tasks: { requests: { tools: { call: {} } }, cancel: {} } }
    expect(client.getServerCapabilities()).toMatchObject(capabilities)
    expect(client.getServerCapabilities()).not.toHaveProperty('extensions')
    const { tools } = await client.listTools()
    expect(tools.map(({ name, execution }) => [name, execution?.taskSupport])).toEqual([
      ['startExport', 'optional'],
      ['startReport', 'optional'],
      ['countNotes', undefined],
    ])
    const { exportId, ...task } = await startHere()
    expect(task).toMatchObject({ status: 'working', ttl: null, pollInterval: 100 })
    expect(await getHere(task.taskId)).toMatchObject({ ...task, lastUpdatedAt: expect.anything() })
    setTimeout(() => endExport(exportId), 300)
    expect(await result(task.taskId)).toMatchObject({
      structuredContent: { rows: 'a,b' },
      _meta: { 'io.modelcontextprotocol/related-task': { taskId: task.taskId } },
    })
    expect(await getHere(task.taskId)).toMatchObject({ status: 'completed' })
    await client.close()
  })

  it('has failed if its job has', async () => {
    const { start: startHere, get: getHere, result } = await legacyClient()
    const { taskId, exportId } = await startHere()
    endExport(exportId, 'failed')
    expect(await result(taskId)).toMatchObject({ isError: true })
    expect(await getHere(taskId)).toMatchObject({ status: 'failed' })
  })

  it('is cancelled when the request is answered, and not again', async () => {
    const { start: startHere, cancel, result } = await legacyClient()
    const { taskId } = await startHere()
    expect(await cancel(taskId)).toMatchObject({ taskId, status: 'cancelled' })
    await expect(cancel(taskId)).rejects.toMatchObject({ code: -32_602 })
    expect(await result(taskId)).toMatchObject({
      isError: true,
      content: [{ text: 'The task was cancelled.' }],
    })
  })

  it('refuses to cancel what no route cancels', async () => {
    const { start: startHere, cancel } = await legacyClient()
    const { taskId } = await startHere({ name: 'startReport' })
    await expect(cancel(taskId)).rejects.toThrow("can't be cancelled")
  })

  it('answers as its route does without one, and refuses a task of a tool that has none', async () => {
    const { client, request } = await legacyClient()
    expect(await client.callTool(exporting)).toMatchObject({
      structuredContent: { state: 'working' },
    })
    const counting = { name: 'countNotes', task: {} }
    await expect(request('tools/call', counting)).rejects.toMatchObject({ code: -32_601 })
    const nothing = { name: 'startExport', arguments: { of: 'nothing' }, task: {} }
    await expect(request('tools/call', nothing)).rejects.toThrow('ConflictError: No notes.')
  })

  it('has no list, and no update', async () => {
    const { request } = await legacyClient()
    for (const method of ['tasks/list', 'tasks/update']) {
      await expect(request(method, {})).rejects.toMatchObject({ code: -32_601 })
    }
  })
})

describe.each(Object.keys(revisions) as Revision[])('the task of an agent: %s', (of) => {
  const methods =
    of === revision
      ? ['tasks/get', 'tasks/cancel', 'tasks/update']
      : ['tasks/get', 'tasks/cancel', 'tasks/result']

  /** What an agent is told that asks for a task in each way. */
  async function refusals(taskId: string, by: string) {
    if (of === revision) {
      return Promise.all(methods.map(async (method) => (await askFor(method, taskId, by)).error))
    }
    const { request, client } = await legacyClient(by)
    const told = methods.map((method) =>
      request(method, { taskId }).catch(({ code, message }) => ({ code, message })),
    )
    const all = await Promise.all(told)
    await client.close()
    return all
  }

  it('is not there for another account, for another agent of the account, and with another id', async () => {
    const ofOther = await agentToken(auth, await auth.signedInUser({ role: 'admin' }), 'note:read')
    const ofAgent = await agentToken(auth, admin, 'note:read note:write')
    const { taskId, exportId } = await start()
    const [text = '', seal = ''] = taskId.split('.')
    const changed = (change: (content: unknown[]) => unknown) => {
      const content = JSON.parse(Buffer.from(text, 'base64url').toString())
      const made = Buffer.from(JSON.stringify(change(content))).toString('base64url')
      return `${made}.${seal}`
    }
    const before = [...calls]
    for (const [id, by] of [
      [taskId, ofOther],
      [taskId, ofAgent],
      ['tasks-of-no-agent', token],
      ['', token],
      ['.', token],
      [`${taskId}.`, token],
      [text, token],
      [`${text}.`, token],
      [changed(([, ...rest]) => ['startReport', ...rest]), token],
      [changed(([name, at]) => [name, at, { exportId: crypto.randomUUID() }]), token],
      [changed(() => 'no list'), token],
      [`${taskId}${'x'.repeat(3000)}`, token],
      ['x'.repeat(200_000), token],
    ] as const) {
      // A header can't be empty, so the client of 2026-07-28 says another one.
      if (of === revision && (id === '' || id.length > 5000)) continue
      expect(await refusals(id, by), id.slice(0, 20)).toEqual(methods.map(() => notThere))
    }
    // No route has run.
    expect(calls).toEqual(before)
    expect((await get(taskId)).result.status).toBe('working')
    endExport(exportId)
  })

  it('is not there once the application does not have it any more', async () => {
    const { taskId, exportId } = await start()
    await deleteExport(auth, exportId)
    expect(await refusals(taskId, token)).toEqual(methods.map(() => notThere))
  })

  it('ends with the grant, while the job runs', async () => {
    const leaver = await auth.signedInUser()
    const by = await agentToken(auth, leaver, 'note:read')
    const { taskId, exportId } = await start(by)
    const { body } = await auth.call('listOAuth2Grants', undefined, leaver.key)
    const params = { grantId: body.grants[0].grantId }
    await auth.call('revokeOAuth2Grant', undefined, leaver.key, { params })
    const refused = await ask(auth, by, { method: 'tasks/get', params: { taskId } })
    expect(refused.status).toBe(401)
    // The same agent, allowed again, is another grant.
    const again = await agentToken(auth, leaver, 'note:read')
    expect(await refusals(taskId, again)).toEqual(methods.map(() => notThere))
    endExport(exportId)
  })
})

describe('a permission that the user loses while the job runs', () => {
  it('ends the reading of it', async () => {
    const { userId, ...user } = await auth.signedInUser({ role: 'admin' })
    const by = await agentToken(auth, { userId, ...user }, 'note:read note:write')
    const { taskId } = await start(by, { name: 'startReport' })
    expect((await get(taskId, by)).result.status).toBe('working')
    const root = await auth.signedInUser({ role: 'superadmin' })
    await auth.proveRecent(root)
    const params = { userId }
    const { status } = await auth.call('updateUserRole', { role: 'user' }, root.key, { params })
    expect(status).toBe(200)
    expect((await get(taskId, by)).error?.message).toContain('needs note:write')
  })
})
