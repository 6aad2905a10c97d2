import { type Client, UrlElicitationRequiredError } from '@modelcontextprotocol/client'
import { allow } from '@svc/auth/server'
import { startTestAuth, type TestAuthOptions, type TestUser } from '@svc/auth/testing'
import { defineRouter, route, t } from '@svc/core/contract'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { mcp } from './mcp.ts'
import { agentToken, connect } from './test-client.ts'

const refunded: string[] = []

const input = {
  params: t.Object({ id: t.String() }),
  body: t.Object({ amount: t.Integer({ minimum: 1 }) }),
}

const refund = allow.approved(allow.may('order:refund'))(
  route
    .post('/orders/:id/refund')
    .input(input)
    .tool({ title: 'Refund an order', describe: 'Gives money back.' })
    .handler(async (c) => {
      const { params, body } = await c.data()
      refunded.push(`${params.id}: ${body.amount}`)
      return { refunded: body.amount }
    }),
)

/** A person may call the route as it is; only its words want a program's calls confirmed. */
const cancel = allow.may('order:refund')(
  route
    .post('/orders/:id/cancel')
    .input({ params: input.params })
    .tool({ title: 'Cancel an order', describe: 'Cancels it for good.', confirm: true })
    .handler(async (c) => {
      refunded.push(`cancelled ${(await c.data()).params.id}`)
      return {}
    }),
)

const options = {
  permissions: [{ name: 'order:refund', displayName: 'Refund orders', category: 'order' }],
  rolePermissions: { user: ['order:refund'] },
  authorizationServer: {
    scopes: { 'order:refund': 'Refund your orders' },
    resources: ['/mcp'],
    registration: 'open',
  },
} satisfies TestAuthOptions['options']

const tools = ['refund', 'cancel']
const auth = await startTestAuth({
  options,
  router: defineRouter({
    refund,
    cancel,
    mcp: mcp({ path: '/mcp', name: 'orders', version: '1', tools }),
  }),
})
afterAll(() => auth.stop())

beforeEach(() => {
  refunded.length = 0
})

const waitingFor = async ({ key }: TestUser) =>
  (await auth.call('listApprovals', undefined, key)).body.approvals
const decide = async (user: TestUser, decision: 'approveCall' | 'refuseCall' = 'approveCall') => {
  const [{ approvalId }] = await waitingFor(user)
  const { status } = await auth.call(decision, {}, user.key, { params: { approvalId } })
  expect(status).toBe(204)
}

async function agentOf(revision: '2025-11-25' | '2026-07-28', onPage?: (url: string) => unknown) {
  const user = await auth.signedInUser()
  const token = await agentToken(auth, user, 'order:refund')
  const capabilities = onPage ? { elicitation: { url: {} } } : {}
  const client = await connect(auth, token, revision, capabilities)
  if (onPage) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      await onPage((params as { url: string }).url)
      return { action: 'accept' }
    })
  }
  return { user, client }
}

const call = (client: Client, name = 'refund', args: object = { id: '7', amount: 5 }) =>
  client.callTool({ name, arguments: { ...args } })

describe('a tool that the owner has to approve', () => {
  it('asks the client to open the page, waits, and goes on once it is approved', async () => {
    const pages: string[] = []
    const { user, client } = await agentOf('2026-07-28', (url) => {
      pages.push(url)
      // The owner reads for a while; the client sends its call again at once.
      setTimeout(() => void decide(user), 700)
    })
    expect(await call(client)).toMatchObject({ structuredContent: { refunded: 5 } })
    expect(pages).toEqual([
      expect.stringMatching(/^http:\/\/localhost:3790\/account\/approvals\?id=[\w-]{36}$/),
    ])
    expect(refunded).toEqual(['7: 5'])
  })

  it('does nothing once the user has taken the grant back, even if the call was approved', async () => {
    async function approveAndTakeBack() {
      const { body } = await auth.call('listOAuth2Grants', undefined, user.key)
      const params = { grantId: body.grants[0].grantId }
      await decide(user)
      await auth.call('revokeOAuth2Grant', undefined, user.key, { params })
    }
    const { user, client } = await agentOf('2026-07-28', () => {
      setTimeout(() => void approveAndTakeBack(), 550)
    })
    expect(await call(client)).toMatchObject({ isError: true })
    expect(refunded).toEqual([])
  })

  it('does nothing if the owner refuses, and says so to the model', async () => {
    const { user, client } = await agentOf('2026-07-28', () => decide(user, 'refuseCall'))
    const { isError, content } = await call(client)
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining('ApprovalRefusedError') }])
    expect(refunded).toEqual([])
  })

  it('does nothing if the user does not open the page', async () => {
    const { client } = await agentOf('2026-07-28', () => {})
    client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
    const { isError, content } = await call(client)
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining('has not opened the page') }])
    expect(refunded).toEqual([])
  })

  it('tells the model where, if the client can open no page', async () => {
    const { user, client } = await agentOf('2026-07-28')
    const { isError, content } = await call(client)
    expect(isError).toBe(true)
    expect(content).toMatchObject([{ text: expect.stringContaining('/account/approvals?id=') }])
    await decide(user)
    expect(await call(client)).toMatchObject({ structuredContent: { refunded: 5 } })
  })

  it('is refused with the page on 2025-11-25, and is called again by the client', async () => {
    const { user, client } = await agentOf('2025-11-25', () => {})
    const refusal = await call(client).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UrlElicitationRequiredError)
    const [page] = (refusal as UrlElicitationRequiredError).elicitations
    const [{ approvalId }] = await waitingFor(user)
    expect(page).toMatchObject({ mode: 'url', elicitationId: approvalId })
    expect(page?.url).toContain(approvalId)
    await decide(user)
    expect(await call(client)).toMatchObject({ structuredContent: { refunded: 5 } })
  })

  it('is asked of the owner with all values, and no other values are approved', async () => {
    const { user, client } = await agentOf('2026-07-28')
    await call(client)
    expect(await waitingFor(user)).toMatchObject([
      { title: 'Refund an order', given: { id: '7', amount: 5 }, asker: { kind: 'agent' } },
    ])
    await decide(user)
    expect((await call(client, 'refund', { id: '7', amount: 6 })).isError).toBe(true)
    expect(refunded).toEqual([])
  })

  it('is not asked of the owner with input that the route refuses', async () => {
    const { user, client } = await agentOf('2026-07-28')
    const { content } = await call(client, 'refund', { id: '7', amount: 0 })
    expect(content).toMatchObject([{ text: expect.stringContaining('ValidationError') }])
    expect(await waitingFor(user)).toEqual([])
  })
})

describe('a tool whose words want each call confirmed', () => {
  it('waits for the owner in the same way, and its route does not', async () => {
    const { user, client } = await agentOf('2026-07-28', () => decide(user))
    await call(client, 'cancel', { id: '7' })
    expect(refunded).toEqual(['cancelled 7'])
    const request = { method: 'POST', url: `${auth.url}/orders/8/cancel`, body: '' }
    const headers = await auth.signerOf(user.key)(request)
    expect((await fetch(request.url, { method: 'POST', headers })).status).toBe(200)
    expect(refunded).toEqual(['cancelled 7', 'cancelled 8'])
  })

  it('needs a route that knows its caller, or the server does not start', async () => {
    const open = allow.public(
      route
        .post('/open')
        .tool({
          title: 'Open',
          describe: 'Open to all.',
          permission: 'order:refund',
          confirm: true,
        })
        .handler(() => ({})),
    )
    const router = defineRouter({
      open,
      mcp: mcp({ path: '/mcp', name: 'open', version: '1', tools: ['open'] }),
    })
    await expect(startTestAuth({ options, router })).rejects.toThrow('knows no caller')
  })
})
