import { defineRouter, route } from '@svc/core'
import { afterAll, describe, expect, it } from 'vitest'
import { getAuth } from '../authenticate/context.ts'
import { requirePermissions } from '../roles/require-permissions.ts'
import { startTestAuth } from '../testing.ts'
import { accessTokenAuth } from './access-token-auth.ts'
import { agentOptions, issuer, pkce, redirectUri, testAgents } from './test-agent.ts'

const router = defineRouter({
  tools: route
    .get('/mcp')
    .use([accessTokenAuth('/mcp')])
    .handler((c) => {
      const { userId, kind, permissions } = getAuth(c)
      return { userId, kind, permissions }
    }),
  readUsers: route
    .get('/mcp/users')
    .use([accessTokenAuth('/mcp'), requirePermissions('user:read')])
    .handler(() => ({})),
})
const auth = await startTestAuth({ ...agentOptions, router })
afterAll(auth.stop)
const agents = testAgents(auth)

describe('a grant', () => {
  it('goes from consent to a token that opens its resource, as the account and with the scopes alone', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const agent = await agents.register()
    const token = await agents.tokens(user, agent, { scope: 'user:read board' })
    expect(token).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'user:read board',
    })
    expect((await agents.open(token.access_token)).body).toEqual({
      userId: user.userId,
      kind: 'agent',
      permissions: ['user:read'],
    })
    expect((await agents.open(token.access_token, { path: '/mcp/users' })).status).toBe(200)
    const next = await agents.refresh(agent, token.refresh_token)
    expect(next.status).toBe(200)
    expect((await agents.open(next.body.access_token)).status).toBe(200)
  })
})
void [issuer, pkce, redirectUri]
