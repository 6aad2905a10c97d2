import { defineRouter, offerTools, route, toolsOf } from '@svc/core'
import { perDay, perMinute, t } from '@svc/core/contract'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { allow } from '../application/application.ts'
import { recordAudit } from '../audit/audit.ts'
import { getUserId, requestOrigin } from '../caller/caller.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import { rowsIn } from './budgets.ts'
import { accessTokenAuth } from './oauth2.ts'
import { testAgents } from './testing/test-agent.ts'
import { openServiceHost, testServices } from './testing/test-exchange.ts'
import { files } from './testing/test-resource-server.ts'

const host = await openServiceHost()
const { authorizationServer } = host.options.options
const words = { describe: 'A tool.', permission: 'user:read' }
const forAgents = accessTokenAuth('/mcp')
const router = defineRouter({
  read: route
    .get('/mcp')
    .use([forAgents])
    .handler(() => ({ items: ['a', 'b', 'c', 'd', 'e'] })),
  inside: route
    .get('/mcp/inside')
    .use([forAgents])
    .handler((c) => c.success({ found: { users: Array(10).fill('a user') } })),
  act: route
    .delete('/mcp')
    .use([forAgents])
    .handler(async (c) => {
      const entry = { actor: getUserId(c), origin: requestOrigin(c.raw), at: auth.clock.now() }
      await recordAudit(auth.auth.db, { act: 'stream.ended', ...entry, target: 'a stream' })
      return {}
    }),
  five: allow.may('user:read')(
    route
      .get('/five')
      .tool({ title: 'Five rows', ...words })
      .handler(() => [1, 2, 3, 4, 5]),
  ),
  end: allow.may('audit:read')(
    route
      .delete('/end')
      .tool({ title: 'End it', ...words })
      .handler(() => ({})),
  ),
  call: route
    .post('/mcp')
    .use([forAgents, offerTools(['five', 'end'])])
    .input({ body: t.Object({ tool: t.String() }) })
    .handler(async (c) => {
      const { tool } = (await c.data()).body
      const answer = await toolsOf(c.raw.server, [tool])[0]?.call(c.raw, {})
      return new Response(JSON.stringify({ status: answer?.status }))
    }),
})

const budget = { calls: [perMinute(4), perDay(9)], rows: [perMinute(10)] }
const auth = await startTestAuth({
  options: { authorizationServer: { ...authorizationServer, budget } },
  router,
  env: { SVC_RATE_LIMIT: 'on' },
})
afterAll(async () => {
  host.close()
  await auth.stop()
})
// The windows of the test before are over.
afterEach(() => auth.clock.advance('25h'))

const agents = testAgents(auth)
const agent = await agents.register()
const another = await agents.register()
const { exchanged } = testServices(auth)

const tokenOf = async (user: TestUser, by = agent, fields: Record<string, string> = {}) =>
  (await agents.tokens(user, by, fields)).access_token

async function ask(token: string, method = 'GET', body?: object) {
  const answer = await fetch(`${auth.url}/mcp`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers }
}

const statusOf = async (token: string, method?: string) => (await ask(token, method)).status
const described = (user: TestUser, grantId: string) =>
  auth.call('getOAuth2Grant', undefined, user.key, { params: { grantId } })
async function grantOf(user: TestUser, { clientId } = agent) {
  const { body } = await auth.call('listOAuth2Grants', undefined, user.key)
  const grants: { grantId: string; clientId: string }[] = body.grants
  return grants.find((grant) => grant.clientId === clientId)?.grantId ?? expect.unreachable()
}

describe('the calls of an agent', () => {
  it('are refused over its budget, and the response says how many seconds to wait', async () => {
    const token = await tokenOf(await auth.signedInUser())
    for (let call = 0; call < 4; call++) expect(await statusOf(token, 'DELETE')).toBe(200)
    auth.clock.advance('20s')
    const refused = await ask(token, 'DELETE')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('40')
    // It is no fault of the token.
    expect(refused.headers.get('www-authenticate')).toBeNull()
    auth.clock.advance('41s')
    expect(await statusOf(token, 'DELETE')).toBe(200)
  })

  it('count by the day as well, and a refused one counts too', async () => {
    const user = await auth.signedInUser()
    const token = await tokenOf(user)
    for (let call = 0; call < 9; call++) {
      expect(await statusOf(token, 'DELETE')).toBe(200)
      auth.clock.advance('1m')
    }
    const refused = await ask(token, 'DELETE')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe(`${24 * 3600 - 9 * 60}`)
  })

  it('count by the agent and the account: another grant of both has no budget of its own', async () => {
    const user = await auth.signedInUser()
    const [first, second, ofOther] = [
      await tokenOf(user),
      await tokenOf(user),
      await tokenOf(user, another),
    ]
    const ofAnother = await tokenOf(await auth.signedInUser())
    for (let call = 0; call < 4; call++) await ask(first, 'DELETE')
    expect(await statusOf(second, 'DELETE')).toBe(429)
    expect(await statusOf(ofOther, 'DELETE')).toBe(200)
    expect(await statusOf(ofAnother, 'DELETE')).toBe(200)
  })

  it('count what it has passed on to another client as its own (RFC 8693)', async () => {
    const user = await auth.signedInUser()
    const given = await tokenOf(user, agent, { resource: files })
    const passedOn = await exchanged(host.at('relay'), given, {
      form: { resource: `${auth.url}/mcp` },
    })
    for (let call = 0; call < 4; call++) {
      expect(await statusOf(passedOn, 'DELETE')).toBe(200)
    }
    expect(await statusOf(await tokenOf(user), 'DELETE')).toBe(429)
  })

  it('of sixteen at once, lets in what is left and no more', async () => {
    const token = await tokenOf(await auth.signedInUser())
    const statuses = await Promise.all(Array.from({ length: 16 }, () => statusOf(token, 'DELETE')))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      ...Array(4).fill(200),
      ...Array(12).fill(429),
    ])
  })
})

describe('the rows that an agent reads', () => {
  it('are the elements of the lists of an answer; another answer is one', () => {
    expect(
      [[1, 2], { data: [1], meta: {} }, { a: [1], b: [2] }, { id: 'x' }, null, 'text'].map(rowsIn),
    ).toEqual([2, 1, 2, 1, 1, 1])
    expect([{ data: { items: [[1, 2], [3]] } }, { data: { items: [] } }].map(rowsIn)).toEqual([
      2, 0,
    ])
  })

  it('are counted once they are read, and then the next call is refused', async () => {
    const token = await tokenOf(await auth.signedInUser())
    expect([await statusOf(token), await statusOf(token), await statusOf(token)]).toEqual([
      200, 200, 429,
    ])
    auth.clock.advance('61s')
    expect(await statusOf(token)).toBe(200)
  })

  it('are counted wherever the answer has its list: `c.success({ items })` hides none', async () => {
    const authorization = `Bearer ${await tokenOf(await auth.signedInUser())}`
    const open = () => fetch(`${auth.url}/mcp/inside`, { headers: { authorization } })
    expect([(await open()).status, (await open()).status]).toEqual([200, 429])
  })

  it('are counted in what a tool answers, and not in a refusal', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await tokenOf(user, agent, { scope: 'user:read' })
    const call = async (tool: string) => (await ask(token, 'POST', { tool })).status
    expect([await call('five'), await call('end')]).toEqual([200, 200])
    const [, , rows] = (await described(user, await grantOf(user))).body.budget
    expect(rows).toMatchObject({ of: 'rows', limit: 10, used: 5 })
    expect([await call('five'), await call('five')]).toEqual([200, 429])
  })
})

describe('getOAuth2Grant', () => {
  it('tells the owner what a grant allows now, how much of it is used up, and what it did', async () => {
    const user = await auth.signedInUser({ role: 'admin' })
    const token = await tokenOf(user, agent, { scope: 'user:read' })
    const at = auth.clock.now().toISOString()
    const endsAtMillis = auth.clock.now().getTime() + 60_000
    await ask(token, 'DELETE')
    const grantId = await grantOf(user)
    expect(await described(user, grantId)).toMatchObject({
      status: 200,
      body: {
        grantId,
        permissions: ['user:read'],
        tools: [
          { name: 'five', title: 'Five rows', does: 'reads', isAllowed: true },
          { name: 'end', title: 'End it', does: 'deletes', isAllowed: false },
        ],
        budget: [
          { of: 'calls', limit: 4, windowMillis: 60_000, used: 1, endsAtMillis },
          { of: 'calls', limit: 9, windowMillis: 86_400_000, used: 1 },
          { of: 'rows', limit: 10, windowMillis: 60_000, used: 1, endsAtMillis },
        ],
        acts: [{ at, act: 'stream.ended', outcome: 'done', target: 'a stream' }],
      },
    })
    auth.clock.advance('25h')
    const { body } = await described(user, grantId)
    expect(body.budget).toEqual([
      { of: 'calls', limit: 4, windowMillis: 60_000, used: 0 },
      { of: 'calls', limit: 9, windowMillis: 86_400_000, used: 0 },
      { of: 'rows', limit: 10, windowMillis: 60_000, used: 0 },
    ])
  })

  it('shows no act of the account itself, or of another agent of it', async () => {
    const user = await auth.signedInUser()
    await ask(await tokenOf(user, another), 'DELETE')
    await tokenOf(user)
    expect((await described(user, await grantOf(user))).body.acts).toEqual([])
  })

  it('answers the same 404 for one that has ended, is of another account, or was never there', async () => {
    const user = await auth.signedInUser()
    await tokenOf(user)
    const grantId = await grantOf(user)
    const stranger = await auth.signedInUser()
    const missing = {
      status: 404,
      body: { error: { message: 'grant not found' }, resource: 'grant' },
    }
    const none = '00000000-0000-4000-8000-000000000000'
    expect(await described(user, none)).toMatchObject(missing)
    expect(await described(user, 'no id')).toMatchObject(missing)
    expect(await described(stranger, grantId)).toMatchObject(missing)
    await auth.call('revokeOAuth2Grant', undefined, user.key, { params: { grantId } })
    expect(await described(user, grantId)).toMatchObject(missing)
  })
})

describe('where limits are off', () => {
  it('no budget is shown, because none is counted', async () => {
    const options = { authorizationServer: { ...authorizationServer, budget } }
    const off = await startTestAuth({ options, env: { SVC_RATE_LIMIT: 'off' } })
    try {
      const user = await off.signedInUser()
      const at = testAgents(off)
      await at.tokens(user, await at.register())
      const { body } = await off.call('listOAuth2Grants', undefined, user.key)
      const params = { grantId: body.grants[0].grantId }
      const shown = await off.call('getOAuth2Grant', undefined, user.key, { params })
      expect([shown.status, shown.body.budget]).toEqual([200, []])
    } finally {
      await off.stop()
    }
  })
})

it.each([
  ['no whole number', { rows: [perDay(0.5)] }, 'budget.rows must have whole numbers over 0'],
  ['none at all', { calls: [perDay(0)] }, 'budget.calls must have whole numbers over 0'],
  ['more than a count can hold', { rows: [perDay(1e10)] }, 'budget.rows must have whole numbers'],
  ['a part of a millisecond', { calls: [{ limit: 1, windowMillis: 0.5 }] }, 'budget.calls must'],
  ['no end', { calls: [{ limit: 1, windowMillis: Infinity }] }, 'budget.calls must have windows'],
  ['two of one length', { calls: [perDay(1), perDay(2)] }, 'budget.calls has two limits for one'],
])('a budget of %s stops the start, by its name', (_, given, problem) => {
  const start = () =>
    createAuthLifecycle({
      authorizationServer: { scopes: { read: 'Read' }, budget: given },
    }).validateEnvironment?.({ DATABASE_URL: 'postgres://127.0.0.1/x' })
  expect(start).toThrow(`authorizationServer.${problem}`)
})
