import { randomUUID } from 'node:crypto'
import { defineRouter, route, t } from '@svc/core'
import { afterAll, expect, it } from 'vitest'
import { readAuditTrail } from '../audit/audit.ts'
import { accessTokenAuth } from '../oauth2/oauth2.ts'
import { testAgents } from '../oauth2/testing/test-agent.ts'
import { startTestAuth } from '../testing.ts'
import { inviteUser } from './invitations.ts'

// No route of these asks for a permission: the functions do.
const router = defineRouter({
  invite: route
    .post('/tools/invite')
    .use([accessTokenAuth('/tools')])
    .input({ body: t.Object({ email: t.String(), role: t.String() }) })
    .handler(async (c) => inviteUser(c, (await c.data()).body)),
  trail: route
    .post('/tools/trail')
    .use([accessTokenAuth('/tools')])
    .handler((c) => readAuditTrail(c, { limit: 1 })),
})
const auth = await startTestAuth({
  router,
  options: {
    authorizationServer: {
      scopes: {
        'user:invite': 'Invite people',
        'audit:read': 'Read the audit trail',
        'user:read': 'See who is here',
      },
      resources: ['/tools'],
      registration: 'open',
    },
  },
})
afterAll(auth.stop)
const agents = testAgents(auth)

const admin = await auth.signedInUser({ role: 'admin' })
const root = await auth.signedInUser({ role: 'superadmin' })
const role = { name: 'reader', displayName: 'Reader', permissions: ['user:read'] }
await auth.call('createAdminRole', role, root.key)

async function toolsOf(user: typeof admin, scope: string) {
  const { access_token } = await agents.tokens(user, await agents.register(), { scope })
  const post = async (path: string, given: object = {}) => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
    const body = JSON.stringify(given)
    const answer = await fetch(`${auth.url}/tools/${path}`, { method: 'POST', headers, body })
    return { status: answer.status, body: await answer.json() }
  }
  const email = () => `${randomUUID()}@example.com`
  return {
    invite: (name: string) => post('invite', { email: email(), role: name }),
    trail: () => post('trail'),
  }
}

it('invites as the caller of the request, and into no role with power by an agent (decisions 16)', async () => {
  const { invite } = await toolsOf(admin, 'user:invite user:read')
  const { status, body } = await invite('user')
  expect({ status, body }).toMatchObject({ status: 200, body: { role: 'user' } })
  const listed = await auth.call('listInvitations', undefined, root.key)
  expect(listed.body.data).toMatchObject([
    { invitationId: body.invitationId, invitedBy: admin.userId },
  ])
  for (const name of ['reader', 'admin', 'superadmin'])
    expect((await invite(name)).status).toBe(403)
})

it('invites no address, and shows no trail, for an agent that was not given the permission', async () => {
  const bare = await toolsOf(admin, 'user:read')
  expect((await bare.invite('user')).status).toBe(403)
  expect((await bare.trail()).status).toBe(403)
  const ordinary = await toolsOf(await auth.signedInUser(), 'user:invite user:read audit:read')
  expect((await ordinary.invite('user')).status).toBe(403)
  expect((await ordinary.trail()).status).toBe(403)
})

it('shows the trail to an agent of a user who may read it', async () => {
  const { trail } = await toolsOf(admin, 'audit:read')
  const { status, body } = await trail()
  expect({ status, body }).toMatchObject({ status: 200, body: { page: 1, limit: 1 } })
  expect(body.items).toHaveLength(1)
})
