import { createHash, randomBytes } from 'node:crypto'
import { totpCode } from '@svc/auth/testing'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOAuth2ConsentPage, type OAuth2ConsentPageOptions, returnPath } from '../next.ts'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'

const redirectUri = 'http://127.0.0.1:7777/callback'
const web = await startTestWeb({
  env: {
    SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
  },
  options: {
    authorizationServer: {
      scopes: { 'board:read': 'Read the board', 'board:write': 'Post in your name' },
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

const verifier = 'v'.repeat(43)
const address = 'https://web.test/oauth2/consent'
const pageWith = (options: OAuth2ConsentPageOptions = {}, env = {}) =>
  createOAuth2ConsentPage({ ...options, env: { ...web.env, ...env } })
const page = pageWith()

const { body: agent } = await api.call('registerOAuth2Client', {
  client_name: 'Agent Smith',
  redirect_uris: [redirectUri, 'https://agent.example.com/back', 'accounts.google.com:/back'],
  token_endpoint_auth_method: 'none',
})

type Fields = Record<string, string>

const asks = (fields: Fields = {}): Fields => ({
  response_type: 'code',
  client_id: agent.client_id,
  redirect_uri: redirectUri,
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
  state: 'a state',
  ...fields,
})

async function signedIn() {
  const user = await api.createUser()
  const browser = web.browser()
  await browser.call('login', user)
  return { user, browser }
}

function open(fields: Fields | string, browser?: TestBrowser, { GET } = page) {
  const query = typeof fields === 'string' ? fields : `?${new URLSearchParams(fields)}`
  const cookie = browser?.cookieHeader() ?? ''
  return GET(new Request(`${address}${query}`, { headers: { cookie } }))
}

function send(fields: Fields, browser: TestBrowser, { headers = {}, POST = page.POST } = {}) {
  const body = new URLSearchParams(fields)
  const cookie = browser.cookieHeader()
  return POST(new Request(address, { method: 'POST', headers: { cookie, ...headers }, body }))
}

/** The fields of the form that a page has. */
function formIn(text: string) {
  const hidden = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g
  return Object.fromEntries([...text.matchAll(hidden)].map(([, name, value]) => [name, value]))
}

const opened = async (browser: TestBrowser, fields = asks()): Promise<Fields> =>
  formIn(await (await open(fields, browser)).text())

/** Where the answer takes the browser by itself. */
function takenTo({ status, headers }: Response) {
  expect([status, headers.get('location')]).toEqual([200, null])
  return new URL(/^0;url=(.*)$/.exec(headers.get('refresh') ?? '')?.[1] ?? '')
}

const grantsMade = async (userId: string) => {
  const { rows } = await api.auth.db.execute(
    `select 1 from svc_auth.oauth2_grants where user_id = '${userId}'`,
  )
  return rows.length
}

/** As if the second factor had been proved an hour ago. */
const forgetProof = ({ userId }: { userId: string }) =>
  api.auth.db.execute(
    `update svc_auth.device_keys set second_factor_proved_at = now() - interval '1 hour' where user_id = '${userId}'`,
  )

describe('GET', () => {
  it('shows which client asks, where the answer goes, for what and as whom, with two buttons alike', async () => {
    const { user, browser } = await signedIn()
    const answer = await open(asks({ scope: 'board:read board:write' }), browser)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    for (const shown of [
      'Agent Smith',
      '<dd class="host">a program on this device <span class="detail">at <code>127.0.0.1:7777</code>',
      user.email,
      '<li>Read the board</li><li>Post in your name</li>',
      '<button name="decision" value="allow">Allow</button>\n<button name="decision" value="deny">Deny</button>',
    ])
      expect(text).toContain(shown)
    expect(formIn(text)).toEqual({
      ...asks({ scope: 'board:read board:write' }),
      csrf: browser.cookies.get('svc_csrf'),
    })
    expect(await grantsMade(user.userId)).toBe(0)
  })

  it('always shows the host of the answer, and tells an app from a host that its scheme is written like', async () => {
    const { browser } = await signedIn()
    const site = await open(asks({ redirect_uri: 'https://agent.example.com/back' }), browser)
    expect(await site.text()).toContain('<dd class="host"><strong>agent.example.com</strong></dd>')
    const app = await (
      await open(asks({ redirect_uri: 'accounts.google.com:/back' }), browser)
    ).text()
    expect(app).toContain('an app on this device')
    expect(app).not.toContain('<strong>accounts.google.com')
  })

  it('shows the host of a client whose id is an address, and what a client calls itself as text', async () => {
    const { browser } = await signedIn()
    const clientId = 'https://known.example.com/client.json'
    await api.auth.db.execute(
      `insert into svc_auth.oauth2_clients values ('${clientId}', 'document', '<b>Bank</b> & "Co"', null,
        '{${redirectUri}}', 'none', null, false, now(), now() + interval '1 day')`,
    )
    const text = await (await open(asks({ client_id: clientId }), browser)).text()
    expect(text).toContain('<dd class="host">known.example.com</dd>')
    expect(text).toContain('<bdi>&lt;b&gt;Bank&lt;/b&gt; &amp; &quot;Co&quot;</bdi>')
  })

  it('asks again for what was allowed before, and for more', async () => {
    const { browser } = await signedIn()
    takenTo(await send({ ...(await opened(browser)), decision: 'allow' }, browser))
    for (const scope of ['board:read', 'board:read board:write']) {
      const answer = await open(asks({ scope }), browser)
      expect(answer.headers.get('refresh')).toBeNull()
      expect(await answer.text()).toContain('value="allow"')
    }
  })

  it('sends a signed-out user to sign in and back, however long the address is', async () => {
    const { browser } = await signedIn()
    const fields = asks({ state: 's'.repeat(1000) })
    const answer = await open(fields)
    const location = answer.headers.get('location') ?? ''
    expect(answer.status).toBe(303)
    expect(location).toMatch(/^\/login\?returnTo=%2Foauth2%2Fconsent%3Frequest%3D[\w-]{22}$/)
    const returnTo = new URL(location, address).searchParams.get('returnTo') ?? ''
    expect(returnPath(returnTo)).toBe(returnTo)
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^svc_consent_request_[\w-]{22}=.*; Max-Age=3600; Path=\/oauth2\/consent; HttpOnly; SameSite=Lax$/,
      ),
    ])
    browser.keep(answer)
    const back = await open(new URL(returnTo, address).search, browser)
    expect(back.status).toBe(303)
    const again = back.headers.get('location') ?? ''
    expect(Object.fromEntries(new URLSearchParams(again))).toEqual(fields)
    expect((await open(again, browser)).status).toBe(200)
  })

  it('goes back to nothing else than what was asked for, and to nothing that no cookie holds', async () => {
    const { browser } = await signedIn()
    const answer = await open(asks())
    const id = /request%3D([\w-]{22})/.exec(answer.headers.get('location') ?? '')?.[1] ?? ''
    browser.cookies.set(
      `svc_consent_request_${id}`,
      String(new URLSearchParams(asks({ scope: 'board:write' }))),
    )
    expect((await open(`?request=${id}`, browser)).status).toBe(400)
    expect((await open('?request=none', browser)).status).toBe(400)
    expect((await open(asks({ state: 's'.repeat(4000) }))).status).toBe(400)
  })

  it.each([
    ['an unknown client', { client_id: 'nobody' }, 'The client is not known here.'],
    ['an address of another client', { redirect_uri: 'https://evil.test/' }, 'redirect_uri'],
    ['a scope that there is none of', { scope: 'everything' }, 'scope'],
    ['another way than PKCE', { code_challenge_method: 'plain' }, 'PKCE'],
  ])('says that a request with %s does not work, and goes nowhere', async (_, fields, words) => {
    const { browser } = await signedIn()
    const answer = await open(asks(fields), browser)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    const text = await answer.text()
    expect(text).toContain('This request does not work')
    expect(text).toContain(words)
    expect(text).not.toContain('<button')
  })

  it('sends a user who was signed out meanwhile to sign in', async () => {
    const { browser } = await signedIn()
    const cookies = new Map(browser.cookies)
    const form = await opened(browser)
    await browser.call('logout', {})
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    for (const answer of [
      await open(asks(), browser),
      await send({ ...form, decision: 'allow' }, browser),
    ]) {
      expect(answer.status).toBe(303)
      expect(answer.headers.get('location')).toMatch(/^\/login\?returnTo=/)
    }
  })

  it('says to try again while the API is away', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { browser } = await signedIn()
    const away = pageWith({}, { SVC_API_URL: 'http://localhost:1' })
    const answer = await open(asks(), browser, away)
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('<a href="?response_type=code&amp;client_id=')
    expect(logged).toHaveBeenCalledTimes(1)
  })
})

it('is in the language of the account, in each of its answers', async () => {
  const { user, browser } = await signedIn()
  await api.auth.db.execute(
    `update svc_auth.users set locale = 'ko-KR' where user_id = '${user.userId}'`,
  )
  const shown = await (await open(asks(), browser)).text()
  expect(shown).toContain('<html lang="ko">')
  expect(shown).toContain('<bdi>Agent Smith</bdi>: 이 프로그램이 회원님의 계정을 사용하도록')
  const refused = await (await open(asks({ client_id: 'nobody' }), browser)).text()
  expect(refused).toContain('이 요청은 처리할 수 없습니다')
  const back = await send({ ...formIn(shown), decision: 'deny' }, browser)
  expect(await back.text()).toContain('<title>돌아가는 중</title>')
})

describe('POST', () => {
  it('takes the browser to the client with a code, or with a refusal', async () => {
    const { user, browser } = await signedIn()
    const form = await opened(browser)
    const allowed = takenTo(await send({ ...form, decision: 'allow' }, browser))
    expect(allowed.href).toContain(`${redirectUri}?code=`)
    expect(allowed.searchParams.get('state')).toBe('a state')
    const denied = takenTo(await send({ ...form, decision: 'deny' }, browser))
    expect(denied.searchParams.get('error')).toBe('access_denied')
    expect(await grantsMade(user.userId)).toBe(1)
  })

  it('binds the code to the key that the client has named, by way of sign-in too (RFC 9449, section 10)', async () => {
    const { browser } = await signedIn()
    const away = await open(asks({ dpop_jkt: 'k'.repeat(43) }))
    browser.keep(away)
    const returnTo = new URL(away.headers.get('location') ?? '', address).searchParams.get(
      'returnTo',
    )
    const back = await open(new URL(returnTo ?? '', address).search, browser)
    const form = formIn(await (await open(back.headers.get('location') ?? '', browser)).text())
    const { searchParams } = takenTo(await send({ ...form, decision: 'allow' }, browser))
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: agent.client_id,
      code: searchParams.get('code') ?? '',
      code_verifier: verifier,
    })
    const answer = await fetch(`${api.url}/_auth/oauth2/token`, { method: 'POST', body })
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_dpop_proof' }])
  })

  it('decides nothing by a form that it has not drawn for this session', async () => {
    const { user, browser } = await signedIn()
    const other = await signedIn()
    const form: Fields = { ...(await opened(browser)), decision: 'allow' }
    const { csrf } = await opened(other.browser)
    const { csrf: _, ...bare } = form
    for (const forged of [
      bare,
      { ...form, csrf: '' },
      { ...form, csrf: csrf as string },
      { ...form, decision: 'perhaps' },
    ]) {
      const answer = await send(forged, browser)
      expect(answer.status).toBe(403)
      expect(await answer.text()).toContain('Nothing was decided')
    }
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      expect((await send(form, browser, { headers })).status).toBe(403)
    }
    const planted = {
      cookie: `${browser.cookieHeader()}; svc_csrf=x`,
      'content-type': 'text/plain',
    }
    expect((await send(form, browser, { headers: planted })).status).toBe(400)
    expect(await grantsMade(user.userId)).toBe(0)
    const headers = { 'sec-fetch-site': 'same-origin' }
    takenTo(await send(form, browser, { headers }))
  })

  it('asks a user with a second factor for it, but not to refuse', async () => {
    const { user, browser } = await signedIn()
    const { secret } = await (await browser.call('mfaTotpEnroll', {})).json()
    await browser.call('mfaTotpConfirm', { code: totpCode(secret, api.clock.now()) })
    await forgetProof(user)
    const form = await opened(browser)
    const refused = takenTo(await send({ ...form, decision: 'deny' }, browser))
    expect(refused.searchParams.get('error')).toBe('access_denied')

    const asked = await send({ ...form, decision: 'allow' }, browser)
    const text = await asked.text()
    expect([asked.status, formIn(text)]).toEqual([200, form])
    expect(text).toContain('name="factor"')
    expect(text).toContain('127.0.0.1:7777')
    const wrong = await send({ ...form, factor: 'abcde-fghij', decision: 'allow' }, browser)
    expect([wrong.status, await wrong.text()]).toEqual([
      403,
      expect.stringContaining('This code is wrong'),
    ])
    expect(await grantsMade(user.userId)).toBe(0)
    const next = totpCode(secret, new Date(api.clock.now().getTime() + 30_000))
    const factor = ` ${next.slice(0, 3)} ${next.slice(3)} `
    expect(takenTo(await send({ ...form, factor, decision: 'allow' }, browser)).href).toContain(
      'code=',
    )

    await forgetProof(user)
    for (const table of ['totp_secrets', 'recovery_codes']) {
      await api.auth.db.execute(`delete from svc_auth.${table} where user_id = '${user.userId}'`)
    }
    const without = await send({ ...form, decision: 'allow' }, browser)
    expect(await without.text()).toContain('Your second step is a passkey')
  })
})

/** As if the sign-in had been an hour ago. */
const forgetSignIn = ({ userId }: { userId: string }) =>
  api.auth.db.execute(
    `update svc_auth.device_keys set authenticated_at = now() - interval '1 hour' where user_id = '${userId}'`,
  )

describe('POST, a while after the sign-in (decisions 16)', () => {
  async function signedInLongAgo() {
    const { user, browser } = await signedIn()
    await forgetSignIn(user)
    return { user, browser, form: await opened(browser) }
  }

  it('asks for the password on the page, and goes on with it', async () => {
    const { user, browser, form } = await signedInLongAgo()
    const asked = await send({ ...form, decision: 'allow' }, browser)
    const text = await asked.text()
    expect([asked.status, formIn(text)]).toEqual([200, form])
    expect(text).toContain('name="password" type="password"')
    expect(text).toContain('127.0.0.1:7777')
    const wrong = await send({ ...form, password: 'wrong', decision: 'allow' }, browser)
    expect([wrong.status, await wrong.text()]).toEqual([
      403,
      expect.stringContaining('This password is wrong'),
    ])
    expect(await grantsMade(user.userId)).toBe(0)
    const { password } = user
    const allowed = takenTo(await send({ ...form, password, decision: 'allow' }, browser))
    expect(allowed.searchParams.get('code')).toBeTruthy()
  })

  it('sends a code instead, which goes on as well', async () => {
    const { user, browser, form } = await signedInLongAgo()
    const ask = async () => {
      const sent = await send({ ...form, decision: 'code' }, browser)
      const text = await sent.text()
      expect([sent.status, formIn(text)]).toEqual([200, form])
      expect(text).toContain('name="code"')
      expect(text).toContain(user.email)
    }
    const { text } = await api.sentBy(ask, user.email, 'verification-code')
    const code = /\d{6}/.exec(text)?.[0] ?? ''
    const wrong = await send({ ...form, code: 'none', decision: 'allow' }, browser)
    expect([wrong.status, await wrong.text()]).toEqual([
      403,
      expect.stringContaining('This code is wrong or has expired'),
    ])
    expect(takenTo(await send({ ...form, code, decision: 'allow' }, browser)).href).toContain(
      'code=',
    )
  })

  it('says to sign in again where there is neither', async () => {
    const { user, browser, form } = await signedInLongAgo()
    await api.auth.db.execute(
      `update svc_auth.users set password_hash = null, email_verified_at = null where user_id = '${user.userId}'`,
    )
    const text = await (await send({ ...form, decision: 'allow' }, browser)).text()
    expect(text).toContain('sign in again')
    expect(text).not.toContain('name="decision" value="code"')
  })

  it('asks a user who refuses for no proof', async () => {
    const { browser, form } = await signedInLongAgo()
    const refused = takenTo(await send({ ...form, decision: 'deny' }, browser))
    expect(refused.searchParams.get('error')).toBe('access_denied')
  })

  it('sends no code by a form that it has not drawn', async () => {
    const { user, browser, form } = await signedInLongAgo()
    const forged = await send({ ...form, csrf: '', decision: 'code' }, browser)
    expect(forged.status).toBe(403)
    expect(await api.messagesTo(user.email)).toEqual([])
  })
})

it('every answer is kept by no cache, framed by no page, and sends its address nowhere', async () => {
  const { browser } = await signedIn()
  const form = await opened(browser)
  for (const answer of [
    await open(asks(), browser),
    await open(asks({ client_id: 'nobody' }), browser),
    await send(form, browser),
    await send({ ...form, decision: 'allow' }, browser),
  ]) {
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src (?:'sha256-[\w+/]{43}=' ?){1,2}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'referrer-policy': 'no-referrer',
      vary: 'Cookie',
    })
  }
  const { headers } = await open(asks())
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  })
})

describe('render', () => {
  it('draws the body at each stage, and must echo the hidden fields', async () => {
    const { browser } = await signedIn()
    const drawn: unknown[] = []
    const custom = pageWith({
      render: async (stage) => {
        drawn.push(stage)
        if (stage.name === 'invalid') return `<h1>${stage.description}</h1>`
        return `<form method="post">${stage.hiddenFields}<button name="decision" value="allow">Yes</button></form>`
      },
    })
    expect(await (await open(asks(), browser, custom)).text()).toContain('<body><form')
    await open(asks({ client_id: 'nobody' }), browser, custom)
    expect(drawn).toEqual([
      expect.objectContaining({
        name: 'consent',
        clientName: 'Agent Smith',
        redirectHost: '127.0.0.1:7777',
        scopes: [{ name: 'board:read', description: 'Read the board' }],
      }),
      { name: 'invalid', description: 'The client is not known here.' },
    ])
    const forgetful = pageWith({ render: () => '<form method="post"></form>' })
    await expect(open(asks(), browser, forgetful)).rejects.toThrow('hiddenFields')
  })

  it('may send a signed-out user elsewhere', async () => {
    const answer = await open(asks(), undefined, pageWith({ loginPath: '/sign-in' }))
    expect(answer.headers.get('location')).toMatch(/^\/sign-in\?returnTo=/)
  })
})
