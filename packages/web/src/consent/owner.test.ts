import { createHash, randomBytes } from 'node:crypto'
import { defineContract } from '@svc/auth/contract'
import { createServiceAccount, defineCapability } from '@svc/auth/server'
import { totpCode } from '@svc/auth/testing'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createOAuth2ConsentPage } from '../next.ts'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'

// A member of two clubs may connect agents for them.
const members = new Set<string>()
const clubs = defineCapability(defineContract('clubs', { operations: {} }), {
  handlers: {},
  account: {
    grantees: {
      find: async (_, { userId }) =>
        members.has(userId)
          ? [
              { id: 'chess', name: 'Chess' },
              { id: 'tango', name: '<b>Tango</b>' },
            ]
          : [],
      take: async (tx, { tenant, userId, client }) =>
        members.has(userId) && tenant === 'tango'
          ? createServiceAccount(tx, { name: client.name, now: new Date() })
          : 'unknown',
    },
  },
})

const redirectUri = 'http://127.0.0.1:7777/callback'
const web = await startTestWeb({
  env: { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}` },
  options: {
    capabilities: [clubs],
    authorizationServer: {
      scopes: { 'board:read': 'Read the board' },
      defaultScopes: ['board:read'],
      resources: ['/mcp'],
      registration: 'open',
    },
  },
})
const { api } = web
afterAll(api.stop)
// The web process signs with the time of the machine.
beforeEach(() => api.clock.set(new Date()))

const { GET, POST } = createOAuth2ConsentPage({ env: web.env })
const { body: agent } = await api.call('registerOAuth2Client', {
  client_name: 'Agent Smith',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
})
const query = new URLSearchParams({
  response_type: 'code',
  client_id: agent.client_id,
  redirect_uri: redirectUri,
  code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
  code_challenge_method: 'S256',
})
const address = 'https://web.test/oauth2/consent'

async function signedIn({ isMember = true } = {}) {
  const user = await api.createUser()
  if (isMember) members.add(user.userId)
  const browser = web.browser()
  await browser.call('login', user)
  return { user, browser }
}

async function open(browser: TestBrowser) {
  const headers = { cookie: browser.cookieHeader() }
  return (await GET(new Request(`${address}?${query}`, { headers }))).text()
}

async function send(browser: TestBrowser, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const headers = { cookie: browser.cookieHeader() }
  const answer = await POST(new Request(address, { method: 'POST', headers, body }))
  return { status: answer.status, text: await answer.text() }
}

/** The fields that the form sends unless the user chooses another one. */
function formIn(text: string): Record<string, string> {
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const chosen = [...text.matchAll(/<input type="radio" name="([^"]*)" value="([^"]*)" checked>/g)]
  return Object.fromEntries(
    [...hidden, ...chosen].map(([, name = '', value = '']) => [name, value]),
  )
}

const grants = async () => {
  const { rows } = await api.auth.db.execute(
    'select user_id as "userId", tenant from svc_auth.oauth2_grants order by grant_id',
  )
  return rows
}

it('lets the user choose for whom the agent acts, and means the user unless another is chosen', async () => {
  const { user, browser } = await signedIn()
  const text = await open(browser)
  expect(text).toContain('<legend>Connect it for</legend>')
  expect(text).toContain('value="tango"> <bdi>&lt;b&gt;Tango&lt;/b&gt;</bdi>')
  const form = formIn(text)
  expect(form['owner']).toBe('')
  expect((await send(browser, { ...form, decision: 'allow' })).text).toContain('code=')
  const own = { userId: user.userId, tenant: null }
  expect(await grants()).toEqual([own])

  const allowed = await send(browser, { ...form, owner: 'tango', decision: 'allow' })
  expect(allowed.text).toContain('code=')
  const all = await grants()
  expect(all).toHaveLength(2)
  const made = all.find(({ tenant }) => tenant === 'tango')
  expect(made?.['userId']).not.toBe(user.userId)
})

it('offers no choice to a user who has none, and connects it for no other', async () => {
  const { browser } = await signedIn({ isMember: false })
  const text = await open(browser)
  expect(text).not.toContain('fieldset>')
  const before = await grants()
  const refused = await send(browser, { ...formIn(text), owner: 'tango', decision: 'allow' })
  expect(refused.status).toBe(400)
  expect(await grants()).toEqual(before)
})

it('keeps the choice while it asks for the second factor, and says it', async () => {
  const { browser, user } = await signedIn()
  const { secret } = await (await browser.call('mfaTotpEnroll', {})).json()
  await browser.call('mfaTotpConfirm', { code: totpCode(secret, api.clock.now()) })
  await api.auth.db.execute(
    `update svc_auth.device_keys set second_factor_proved_at = now() - interval '1 hour' where user_id = '${user.userId}'`,
  )
  const form = { ...formIn(await open(browser)), owner: 'tango', decision: 'allow' }
  const { text } = await send(browser, form)
  expect(text).toContain('name="factor"')
  expect(text).toContain('<dt>Connect it for</dt><dd><bdi>&lt;b&gt;Tango&lt;/b&gt;</bdi></dd>')
  expect(formIn(text)['owner']).toBe('tango')
  const factor = totpCode(secret, new Date(api.clock.now().getTime() + 30_000))
  const before = (await grants()).length
  const allowed = await send(browser, { ...formIn(text), factor, decision: 'allow' })
  expect(allowed.text).toContain('code=')
  const after = await grants()
  expect(after).toHaveLength(before + 1)
  expect(after.some(({ userId }) => userId === user.userId)).toBe(false)
})

it('takes no choice from a form of another site', async () => {
  const { browser } = await signedIn()
  const form = { ...formIn(await open(browser)), owner: 'tango', decision: 'allow', csrf: 'none' }
  const refused = await send(browser, form)
  expect(refused.status).toBe(403)
  expect(formIn(refused.text)['owner']).toBe('')
})
