import { afterAll, expect, it } from 'vitest'
import { testAgents } from '../test-agent.ts'
import { startTestOrganizations, stepsOf } from '../test-organizations.ts'

const auth = await startTestOrganizations({ SVC_RATE_LIMIT: 'on' })
afterAll(() => auth.stop())
const { created, joined } = stepsOf(auth)
const agents = testAgents(auth)

it('connecting an agent again for an organization gives it no other budget', async () => {
  const { owner, org } = await created()
  const admin = await joined(owner, org, ['admin'])
  const client = await agents.register()
  const connect = async (by: typeof owner, asked: { owner?: string }) =>
    (await agents.redeem(client, await agents.consent(by, client, asked))).body
  const first = await connect(owner, { owner: org })
  for (let call = 0; call < 30; call++) {
    expect((await agents.open('/mcp', first)).status).toBe(200)
  }
  for (const by of [owner, admin]) {
    expect((await agents.open('/mcp', await connect(by, { owner: org }))).status).toBe(429)
  }
  // Another agent, and the same one in another organization, have budgets of their own.
  const { tokens } = await agents.connected(owner, { owner: org })
  expect((await agents.open('/mcp', tokens)).status).toBe(200)
  const { owner: other, org: elsewhere } = await created('Elsewhere')
  expect((await agents.open('/mcp', await connect(other, { owner: elsewhere }))).status).toBe(200)
})
