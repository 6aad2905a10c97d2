import { defineRouter, route, t } from '@svc/core'
import { allow } from '../../application/application.ts'
import { accessTokenAuth } from '../../oauth2/oauth2.ts'
import { testAgents } from '../../oauth2/testing/test-agent.ts'
import type { TestAuth, TestAuthOptions, TestKey, TestUser } from '../../testing.ts'

/** What was refunded, in order. */
export const refunded: string[] = []

const refundAt = (path: '/orders/:id/refund' | '/orders/:id/credit') =>
  route
    .post(path)
    .input({
      params: t.Object({ id: t.String() }),
      body: t.Object({ amount: t.Number(), note: t.Optional(t.String()) }),
    })
    .describe({ summary: 'Refund an order' })
    .handler(async (c) => {
      const { params, body } = await c.data()
      refunded.push(`${params.id}: ${body.amount}`)
      return {}
    })

const forAgents = route
  .post('/mcp')
  .input({ body: t.Object({ id: t.String(), amount: t.Number() }) })
  .tool({ title: 'Give money back', describe: 'Refunds an order.' })
  .handler(async (c) => {
    const { id, amount } = (await c.data()).body
    refunded.push(`${id}: ${amount}`)
    return {}
  })

/** Both parts of a request have a value of this name. */
const twice = route
  .post('/twice/:id')
  .input({ params: t.Object({ id: t.String() }), body: t.Object({ id: t.String() }) })
  .handler(() => ({}))

/** An application with calls that the owner of an account approves. */
export const orders = {
  options: {
    permissions: [{ name: 'order:refund', displayName: 'Refund orders', category: 'order' }],
    rolePermissions: { user: ['order:refund'], superadmin: ['order:refund'] },
    authorizationServer: {
      scopes: { 'order:refund': 'Refund your orders' },
      resources: ['/mcp'],
      registration: 'open',
    },
    support: {},
  },
  router: defineRouter({
    refund: allow.approved(allow.may('order:refund'))(refundAt('/orders/:id/refund')),
    credit: allow.approved(allow.may('order:refund'))(refundAt('/orders/:id/credit')),
    refundByAgent: allow.approved(allow.by(accessTokenAuth('/mcp')))(forAgents),
    twice: allow.approved(allow.anyKey)(twice),
  }),
} satisfies TestAuthOptions

interface Sent {
  path?: string
  headers?: Record<string, string>
}

/** A call that a key signs. */
export async function refundBy(
  auth: Pick<TestAuth, 'url' | 'signerOf'>,
  key: TestKey,
  body: object,
  { path = '/orders/7/refund', headers = {} }: Sent = {},
) {
  const request = { method: 'POST', url: `${auth.url}${path}`, body: JSON.stringify(body) }
  const signed = await auth.signerOf(key)(request)
  const type = { 'content-type': 'application/json' }
  const answer = await fetch(request.url, {
    ...request,
    headers: { ...type, ...headers, ...signed },
  })
  return { status: answer.status, body: await answer.json() }
}

/** A call of an agent that the user has let in. */
export async function refundingAgent(auth: TestAuth, user: TestUser) {
  const agents = testAgents(auth)
  const agent = await agents.register({ client_name: 'Shopper' })
  const { access_token } = await agents.tokens(user, agent, { scope: 'order:refund' })
  return async (body: object) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${access_token}`,
    }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await auth.fetch('/mcp', request)
    return { status: answer.status, body: await answer.json() }
  }
}
