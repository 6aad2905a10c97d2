import { afterAll, describe, expect, it } from 'vitest'
import { testAgents } from '../test-agent.ts'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'
import { ledger } from '../test-resource-server.ts'

const auth = await startTestOrganizations()
afterAll(() => auth.stop())
const { apiOf, created } = stepsOf(auth)
const agents = testAgents(auth)

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** An organization with an agent for a server elsewhere that checks tokens alone (RFC 9068). */
async function withAgent() {
  const { owner, org } = await created()
  const asked = { owner: org, scope: 'invoice:read invoice:write', resource: ledger }
  const { client, tokens } = await agents.connected(owner, asked)
  const { serviceAccounts } = await apiOf(owner).listServiceAccounts.call({ params: { org } })
  const userId = serviceAccounts[0]?.userId ?? expect.unreachable()
  return { owner, org, userId, client, tokens }
}

describe('the JWT of an agent of an organization', () => {
  it('names the organization, and what is permitted there alone', async () => {
    const { org, userId, tokens } = await withAgent()
    expect(claimsOf(tokens.access_token)).toMatchObject({
      aud: ledger,
      sub: userId,
      permissions: [],
      tenant: { id: org, permissions: ['invoice:read', 'invoice:write'] },
    })
  })

  it('names none if the grant is a person’s', async () => {
    const { owner } = await created()
    const { tokens } = await agents.connected(owner, { resource: ledger })
    const claims = claimsOf(tokens.access_token)
    expect(claims.sub).toBe(owner.userId)
    expect(claims).not.toHaveProperty('tenant')
  })

  it('is followed by one without what the roles of the agent have lost', async () => {
    const { owner, org, userId, client, tokens } = await withAgent()
    const params = { org, userId }
    await apiOf(owner).updateServiceAccount.call({ params, body: { roles: ['member'] } })
    const { body } = await agents.refresh(client, tokens)
    expect(claimsOf(body.access_token).tenant).toEqual({ id: org, permissions: ['invoice:read'] })
  })

  it('is followed by none while the organization is closed', async () => {
    const { owner, org, client, tokens } = await withAgent()
    await apiOf(owner).closeOrganization.call({ params: { org }, body: {} })
    expect(await agents.refresh(client, tokens)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
    await apiOf(owner).reopenOrganization.call({ body: { organizationId: org } })
    const { body } = await agents.refresh(client, tokens)
    expect(claimsOf(body.access_token).tenant.id).toBe(org)
  })

  it('is followed by none once the service account is deleted', async () => {
    const { owner, org, userId, client, tokens } = await withAgent()
    await apiOf(owner).deleteServiceAccount.call({ params: { org, userId } })
    expect(await agents.refresh(client, tokens)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    })
  })
})
