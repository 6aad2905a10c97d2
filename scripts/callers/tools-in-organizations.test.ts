import { createAuthApi } from '@svc/auth'
import { createAuthLifecycle, createAuthRouter, getUserId } from '@svc/auth/server'
import { startTestAuth } from '@svc/auth/testing'
import { defineServer, route, t } from '@svc/core'
import { mcp } from '@svc/mcp'
import { organizationClient } from '@svc/organizations'
import { organizations as contract } from '@svc/organizations/contract'
import { getOrganization, inOrg, organizations } from '@svc/organizations/server'
import { afterAll, describe, expect, it } from 'vitest'
import { testAgents } from '../../packages/organizations/src/test-agent.ts'

const routes = {
  listInvoices: inOrg('invoice:read')(
    route
      .get('/orgs/:org/invoices')
      .input({ params: t.Object({ org: t.String({ format: 'uuid' }) }) })
      .tool({ title: 'List invoices', describe: 'Lists the invoices of an organization.' })
      .handler(async (c) => {
        const { rows } = await c.db.execute(
          `select current_setting('svc.organization', true) as "fencedTo"`,
        )
        return { of: getOrganization(c).id, by: getUserId(c), ...rows[0] }
      }),
  ),
  mcp: mcp({ path: '/mcp', name: 'invoices', version: '1', tools: ['listInvoices'] }),
}

const permissions = [{ name: 'invoice:read', displayName: 'See invoices' }]
const auth = await startTestAuth({
  definition: defineServer()
    .routes(createAuthRouter({ routes, contracts: [contract] }))
    .lifecycle(
      createAuthLifecycle({
        capabilities: [organizations({ permissions, roles: { member: ['invoice:read'] } })],
        authorizationServer: {
          scopes: { 'invoice:read': 'See invoices' },
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
  return JSON.parse((await answer.text()).replace(/^event: message\ndata: /, '')).result
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
