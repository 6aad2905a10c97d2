import { afterAll, describe, expect, it } from 'vitest'
import { testAgents } from '../test-agent.ts'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'
import { exchange, giveBack, introspect, reports, reportsClient } from '../test-resource-server.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created } = stepsOf(auth)
const agents = testAgents(auth)

const ask = async (token: string) => (await introspect(auth, token)).body
const inactive = { active: false }

/** An organization with an agent for a server elsewhere, which its owner has connected. */
async function withAgent(scope = 'invoice:read auth:self:manage') {
  const { owner, org } = await created()
  const connection = { owner: org, scope, resource: reports }
  const { tokens } = await agents.connected(owner, connection)
  const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
  const userId = serviceAccounts[0]?.userId ?? expect.unreachable()
  return { owner, org, userId, token: tokens.access_token }
}

describe('a server elsewhere that asks about the token of an agent (RFC 7662)', () => {
  it('learns which organization the agent belongs to, and what is permitted there alone', async () => {
    const { org, userId, token } = await withAgent()
    expect(await ask(token)).toMatchObject({
      active: true,
      aud: reports,
      sub: userId,
      scope: 'invoice:read auth:self:manage',
      permissions: [],
      tenant: { id: org, permissions: ['invoice:read'] },
    })
  })

  it('learns of no organization if the grant is a person’s', async () => {
    const { owner } = await created()
    const { tokens } = await agents.connected(owner, { resource: reports })
    const answer = await ask(tokens.access_token)
    expect(answer).toMatchObject({ active: true, sub: owner.userId })
    expect(answer).not.toHaveProperty('tenant')
  })

  it('learns at once what the roles of the agent have lost', async () => {
    const { owner, org, userId, token } = await withAgent('invoice:read invoice:write')
    const params = { org, userId }
    await apiOf(owner).updateServiceAccount.call({ params, body: { roles: ['member'] } })
    expect((await ask(token)).tenant).toEqual({ id: org, permissions: ['invoice:read'] })
  })

  it('learns nothing while the organization is closed', async () => {
    const { owner, org, token } = await withAgent()
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await ask(token)).toEqual(inactive)
    await apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })
    expect((await ask(token)).active).toBe(true)
  })

  it('learns nothing once the service account is deleted', async () => {
    const { owner, org, userId, token } = await withAgent()
    await apiOf(owner).deleteServiceAccount.call({ params: { org, userId } })
    expect(await ask(token)).toEqual(inactive)
  })

  it('learns nothing of tokens for this API', async () => {
    const { owner, org } = await created()
    const { tokens } = await agents.connected(owner, { owner: org })
    expect((await agents.open('/mcp', tokens)).status).toBe(200)
    expect(await ask(tokens.access_token)).toEqual(inactive)
  })
})

describe('an exchanged token of an agent (RFC 8693)', () => {
  const exchanged = async (token: string) =>
    (await exchange(auth, token)).body.access_token as string

  it('stays in the organization of the agent', async () => {
    const { owner, org, userId, token } = await withAgent()
    const below = await exchanged(token)
    expect(await ask(below)).toMatchObject({
      active: true,
      sub: userId,
      client_id: reportsClient,
      permissions: [],
      tenant: { id: org, permissions: ['invoice:read'] },
    })
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await ask(below)).toEqual(inactive)
    expect((await exchange(auth, token)).body.error).toBe('invalid_request')
  })

  it('can end alone: the service account and its agent stay', async () => {
    const { owner, org, userId, token } = await withAgent()
    const below = await exchanged(token)
    expect((await giveBack(auth, below)).status).toBe(200)
    expect(await ask(below)).toEqual(inactive)
    await exchanged(token)
    auth.clock.advance('61m')
    await auth.sweep()
    const listed = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(listed.serviceAccounts).toMatchObject([{ userId, agent: { scopes: expect.any(Array) } }])
  })

  it('is not the agent that members see', async () => {
    const { owner, org, token } = await withAgent()
    await exchanged(token)
    const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
    expect(serviceAccounts).toHaveLength(1)
    expect(JSON.stringify(serviceAccounts)).not.toContain(reportsClient)
  })
})
