import { afterAll, describe, expect, it } from 'vitest'
import { route, type ToolTask, t } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'
import { offerTools, toolsOf } from './tools.ts'

const words = { title: 'Export', describe: 'Exports everything.' }
const params = t.Object({ exportId: t.String() })
const task = {
  read: 'readExport',
  cancel: 'cancelExport',
  params: { exportId: 'id' },
  state: ({ state }: { state: string }) => (state === 'done' ? 'completed' : 'working'),
} satisfies ToolTask

const starting = (given: ToolTask) =>
  route
    .post('/exports')
    .answer(t.Object({ id: t.String(), state: t.String() }))
    .tool({ ...words, task: given })
    .handler(() => ({ id: 'one', state: 'queued' }))

const routes = {
  readExport: route
    .get('/exports/:exportId')
    .input({ params })
    .tool({ ...words, view: ({ exportId }: { exportId: string }) => exportId })
    .handler(async (c) => ({ ...(await c.data()).params, state: 'done' })),
  cancelExport: route
    .delete('/exports/:exportId')
    .input({ params })
    .handler((c) => c.noContent()),
}

const endpoint = route
  .post('/call')
  .use([offerTools(['startExport'])])
  .handler(async (c) => {
    const [tool] = toolsOf(c.raw.server, ['startExport'])
    const started = await tool?.call(c.raw, {}, (body) => body)
    const input = { exportId: 'one' }
    const read = await tool?.task?.read.call(c.raw, input)
    const seen = await tool?.task?.read.call(c.raw, input, (body) => ({ body }))
    const cancelled = await tool?.task?.cancel?.call(c.raw, input)
    return [started, read, seen, cancelled].map((answer) =>
      answer instanceof Response ? answer.status : [answer?.status, answer?.value],
    )
  })

const start = (given: ToolTask, more = {}) =>
  startTestServer(
    defineServer().routes(
      defineRouter({ ...routes, startExport: starting(given), ...more, call: endpoint }),
    ),
  )

const server = await start(task)
afterAll(() => server.stop())

describe('the job of a tool', () => {
  it('has routes of its own, which answer with their view or with another one', async () => {
    const answer = await server.fetch('/call', { method: 'POST' })
    expect(await answer.json()).toEqual([
      [200, { id: 'one', state: 'queued' }],
      [200, 'one'],
      [200, { body: { exportId: 'one', state: 'done' } }],
      [204, null],
    ])
  })

  it('has no schema of an answer: it ends with that of another route', () => {
    const [tool] = toolsOf(server.infrastructure, ['startExport'])
    expect(tool?.outputSchema).toBeUndefined()
    expect(tool?.task).toMatchObject({ pollSeconds: 5, read: { name: 'readExport' } })
  })
})

describe('a server with a tool that starts a job', () => {
  const refused = (given: Partial<ToolTask>, more = {}) =>
    start({ ...task, ...given }, more).then(
      (started) => started.stop().then(() => 'started'),
      (error: Error) => error.message,
    )

  it('does not start without the routes of the job, and says which ones there are', async () => {
    const said = await refused({ read: 'readExports', cancel: 'stop' })
    expect(said).toContain(
      'Route "startExport" is a tool of "call", and its task names the route "readExports", which is not there. Did you mean "readExport"?',
    )
    expect(said).toContain('names the route "stop", which is not there.')
  })

  it('does not start if the state is read by a route that may change something', async () => {
    expect(await refused({ read: 'cancelExport' })).toContain('has the method DELETE')
  })

  it('does not start if the state is read from a replica, which may not have the job yet', async () => {
    const stale = { readExport: routes.readExport.stale() }
    expect(await refused({}, stale)).toContain('"readExport", which is .stale()')
  })

  it('does not start with params that the routes do not take, or that they lack', async () => {
    expect(await refused({ params: { exportId: 'id', page: 'state' } })).toContain(
      'gives "page" to the route "readExport", which doesn\'t take it',
    )
    expect(await refused({ params: {} })).toContain(
      'gives no "exportId" to the route "cancelExport", which needs it',
    )
    expect(await refused({ params: { exportId: 'exportId' } })).toContain(
      'takes "exportId" from the answer, which doesn\'t have it.',
    )
  })

  it.each([0, -1, Number.NaN, 3601])('does not start with pollSeconds %d', async (pollSeconds) => {
    expect(await refused({ pollSeconds })).toContain(`has pollSeconds ${pollSeconds}`)
  })

  it('does not start if the owner confirms each call of a route of the job', async () => {
    const confirmed = routes.readExport.tool({ ...words, confirm: true })
    expect(await refused({}, { readExport: confirmed })).toContain('whose calls the owner confirms')
  })

  it('does not start if a program could start a job that it may not read', async () => {
    const needing = routes.readExport.tool({ ...words, permission: 'export:read' })
    expect(await refused({}, { readExport: needing })).toContain(
      'needs export:read for the route "readExport", and the tool does not',
    )
    const both = starting(task).tool({ ...words, task, permission: 'export:read' })
    expect(await refused({}, { readExport: needing, startExport: both })).toBe('started')
    const either = starting(task).tool({
      ...words,
      task,
      permission: 'export:read or export:write',
    })
    expect(await refused({}, { readExport: needing, startExport: either })).toContain(
      'needs export:read for the route',
    )
  })
})
