import { createAuthApi } from '@svc/auth'
import { createAuthLifecycle, createAuthRouter, getUserId } from '@svc/auth/server'
import { startTestAuth } from '@svc/auth/testing'
import { defineServer, route, t } from '@svc/core'
import { mcp } from '@svc/mcp'
import { organizationClient } from '@svc/organizations'
import { organizations as contract } from '@svc/organizations/contract'
import { getOrganization, getTeam, inOrg, onTeam, organizations } from '@svc/organizations/server'
import { afterAll, describe, expect, it } from 'vitest'
import { testAgents } from '../../packages/organizations/src/test-agent.ts'

const uuid = t.String({ format: 'uuid' })

let timesRead = 0

const routes = {
  listInvoices: inOrg('invoice:read')(
    route
      .get('/orgs/:org/invoices')
      .input({ params: t.Object({ org: uuid }) })
      .tool({ title: 'List invoices', describe: 'Lists the invoices of an organization.' })
      .handler(async (c) => {
        const { rows } = await c.db.execute(
          `select current_setting('svc.organization', true) as "fencedTo"`,
        )
        return { of: getOrganization(c).id, by: getUserId(c), ...rows[0] }
      }),
  ),
  addTeamInvoice: onTeam('invoice:write')(
    route
      .post('/orgs/:org/teams/:team/invoices')
      .input({
        params: t.Object({ org: uuid, team: uuid }),
        body: t.Object({ amount: t.Integer() }),
      })
      .tool({ title: 'Add an invoice', describe: 'Adds an invoice of a team.' })
      .handler(async (c) => {
        const { amount } = (await c.data()).body
        return { of: getOrganization(c).id, team: getTeam(c).name, by: getUserId(c), amount }
      }),
  ),
  readTeam: onTeam()(
    route
      .get('/orgs/:org/teams/:team/board')
      .input({ params: t.Object({ org: uuid, team: uuid }) })
      .tool({ title: 'Read a team', describe: 'Reads a team.', permission: 'invoice:read' })
      .handler((c) => ({ team: getTeam(c).name })),
  ),
  exportInvoices: inOrg('invoice:read')(
    route
      .post('/orgs/:org/exports')
      .input({ params: t.Object({ org: uuid }) })
      .tool({
        title: 'Export invoices',
        describe: 'Exports the invoices of an organization.',
        task: {
          read: 'readExport',
          params: { org: 'org', exportId: 'id' },
          state: ({ looks }: { looks: number }) => (looks < 2 ? 'working' : 'completed'),
          pollSeconds: 0.1,
        },
      })
      .handler((c) => ({ org: getOrganization(c).id, id: 7 })),
  ),
  readExport: inOrg('invoice:read')(
    route
      .get('/orgs/:org/exports/:exportId')
      .input({ params: t.Object({ org: uuid, exportId: t.Integer() }) })
      .handler((c) => {
        timesRead += 1
        return { looks: timesRead, of: getOrganization(c).id, by: getUserId(c) }
      }),
  ),
  mcp: mcp({
    path: '/mcp',
    name: 'invoices',
    version: '1',
    tools: ['listInvoices', 'addTeamInvoice', 'readTeam', 'exportInvoices'],
  }),
}

const permissions = [
  { name: 'invoice:read', displayName: 'See invoices' },
  { name: 'invoice:write', displayName: 'Write invoices' },
]
const auth = await startTestAuth({
  definition: defineServer()
    .routes(createAuthRouter({ routes, contracts: [contract] }))
    .lifecycle(
      createAuthLifecycle({
        capabilities: [organizations({ permissions, roles: { member: ['invoice:read'] } })],
        authorizationServer: {
          scopes: {
            'invoice:read': 'See invoices',
            'invoice:write': 'Write invoices',
            'team:manage': 'Manage teams',
          },
          resources: ['/mcp'],
          registration: 'open',
        },
      }),
    ),
})
afterAll(() => auth.stop())

const agents = testAgents(auth)
const owner = await auth.signedInUser()
const sign = auth.signerOf(owner.key)
const api = createAuthApi({ baseUrl: auth.url, clients: [organizationClient], sign })
const create = async (name: string) =>
  (await api.createOrganization.call({ body: { name } })).organizationId
const own = await create('Acme')
const other = await create('Umbrella')
const scope = 'invoice:read'
const ofOrganization = await agents.tokenOf(owner, { scope, owner: own })
const ofPerson = await agents.tokenOf(owner, { scope })

async function use(token: string, method: string, params: object = {}) {
  const answer = await auth.fetch('/mcp', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = JSON.parse((await answer.text()).replace(/^event: message\ndata: /, ''))
  return result ?? { status: answer.status, error }
}

const list = (token: string, org: string) =>
  use(token, 'tools/call', { name: 'listInvoices', arguments: { org } })

describe('a tool of an organization', () => {
  it('is called by an agent of this organization, as its service account and behind its fence', async () => {
    const { structuredContent } = await list(ofOrganization, own)
    expect(structuredContent).toEqual({ of: own, by: expect.any(String), fencedTo: own })
    expect(structuredContent.by).not.toBe(owner.userId)
    expect((await list(ofOrganization, own.toUpperCase())).structuredContent.of).toBe(own)
  })

  it('can start a job, whose task is the organization’s: no agent of the same user has it', async () => {
    const called = { name: 'exportInvoices', arguments: { org: own }, task: {} }
    const { task } = await use(ofOrganization, 'tools/call', called)
    const { taskId } = task
    // The first look finds it working, so the request waits and reads its grant again.
    const { structuredContent } = await use(ofOrganization, 'tasks/result', { taskId })
    expect(structuredContent).toEqual({ looks: 2, of: own, by: expect.any(String) })
    expect(structuredContent.by).not.toBe(owner.userId)
    const { error } = await use(ofPerson, 'tasks/get', { taskId })
    expect(error).toMatchObject({ code: -32_602, message: 'There is no such task.' })
  })

  it('is refused to an agent of another one, also if the same user has let it in', async () => {
    expect(await list(ofOrganization, other)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^OrganizationNotFoundError: /) }],
    })
  })

  it('is not there for an agent of a member: nothing in the organization was chosen for it', async () => {
    expect((await use(ofPerson, 'tools/list')).tools).toEqual([])
    expect((await list(ofPerson, own)).isError).toBe(true)
  })
})

describe('a tool of a team', () => {
  const createTeam = async (org: string, name: string) =>
    (await api.createTeam.call({ params: { org }, body: { name } })).teamId
  const writing = { scope: 'invoice:read invoice:write' }
  const add = (token: string, org: string, team: string) =>
    use(token, 'tools/call', { name: 'addTeamInvoice', arguments: { org, team, amount: 3 } })
  const read = (token: string, org: string, team: string) =>
    use(token, 'tools/call', { name: 'readTeam', arguments: { org, team } })
  const refusedWith = (name: string) => ({
    isError: true,
    content: [{ text: expect.stringMatching(new RegExp(`^${name}`)) }],
  })
  const missing = refusedWith('TeamNotFoundError: ')

  it('is called by an agent of its organization that may do it in every team', async () => {
    const team = await createTeam(own, 'Sales')
    const token = await agents.tokenOf(owner, { ...writing, owner: own })
    const { structuredContent } = await add(token, own, team)
    expect(structuredContent).toEqual({ of: own, team: 'Sales', by: expect.any(String), amount: 3 })
    expect(structuredContent.by).not.toBe(owner.userId)
    const names = (await use(token, 'tools/list')).tools.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['listInvoices', 'addTeamInvoice', 'readTeam', 'exportInvoices'])
  })

  it('is refused to one that was not given the scope, or whose account has lost the permission', async () => {
    const team = await createTeam(own, 'Support')
    const reading = await agents.tokenOf(owner, { scope, owner: own })
    expect(await add(reading, own, team)).toMatchObject({
      status: 403,
      error: { message: expect.stringContaining('addTeamInvoice needs invoice:write') },
    })
    const token = await agents.tokenOf(owner, { ...writing, owner: own })
    const { structuredContent } = await add(token, own, team)
    const params = { org: own, userId: structuredContent.by }
    await api.updateServiceAccount.call({ params, body: { roles: ['member'] } })
    expect(await add(token, own, team)).toMatchObject(refusedWith('addTeamInvoice needs'))
  })

  it('is refused to an agent of another organization, and for a team that is not there, in the same words', async () => {
    const [team, foreign] = [await createTeam(own, 'Sales'), await createTeam(other, 'Sales')]
    const token = await agents.tokenOf(owner, { ...writing, owner: own })
    expect(await add(token, own, foreign)).toMatchObject(missing)
    expect(await add(token, own, foreign)).toEqual(await add(token, own, crypto.randomUUID()))
    const ofOther = await agents.tokenOf(owner, { ...writing, owner: other })
    expect(await add(ofOther, own, team)).toMatchObject(refusedWith('OrganizationNotFoundError: '))
    expect(await add(ofOther, other, foreign)).toMatchObject({ structuredContent: { of: other } })
  })

  it('that asks its members alone is refused to an agent, which is in no team, unless it may manage them', async () => {
    const team = await createTeam(own, 'Sales')
    expect(await read(ofOrganization, own, team)).toMatchObject(missing)
    const managing = { scope: `${scope} team:manage`, owner: own }
    const token = await agents.tokenOf(owner, managing)
    expect((await read(token, own, team)).structuredContent).toEqual({ team: 'Sales' })
  })

  it('is refused to an agent of a member of the team', async () => {
    const team = await createTeam(own, 'Sales')
    const body = { userId: owner.userId, roles: [] }
    await api.addTeamMember.call({ params: { org: own, teamId: team }, body })
    const token = await agents.tokenOf(owner, writing)
    expect(await add(token, own, team)).toMatchObject(refusedWith('addTeamInvoice needs'))
    expect(await read(token, own, team)).toMatchObject(refusedWith('readTeam needs'))
  })
})
