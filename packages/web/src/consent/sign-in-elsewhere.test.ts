import { createHash, generateKeyPairSync } from 'node:crypto'
import { configureAuth } from '@svc/auth'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOAuth2ConsentPage } from '../next.ts'
import { startTestWeb, type TestBrowser } from '../test-browser.ts'
import { readConsent } from './consent.ts'

const next = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => next.headers }))

const redirectUri = 'https://intranet.example.com/callback'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secretHash = createHash('sha256').update('a secret').digest('hex')
const client = { redirectUris: [redirectUri], secretHash }
const web = await startTestWeb({
  env: { SVC_AUTH_OPENID_KEYS: JSON.stringify([privateKey.export({ format: 'jwk' })]) },
  options: {
    authorizationServer: {
      scopes: { 'board:read': 'Read the board' },
      openid: {
        clients: {
          intranet: { ...client, name: 'Intranet', trusted: true },
          partner: { ...client, name: 'Partner' },
        },
      },
    },
  },
})
const { api } = web
afterAll(api.stop)
// The web process signs with the time of the machine.
beforeEach(() => api.clock.set(new Date()))
afterEach(() => configureAuth({ enforcePasswordChange: false }))

const address = 'https://web.test/oauth2/consent'
const page = createOAuth2ConsentPage({ env: web.env })

/** The query with which the authorization endpoint redirects a browser to the page. */
async function passedOn(fields: Record<string, string> = {}) {
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: 'intranet',
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 'a state',
    nonce: 'a nonce',
    ...fields,
  })
  const url = `${api.url}/_auth/oauth2/authorize?${asked}`
  const { headers } = await fetch(url, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').search
}

async function signedIn() {
  const user = await api.createUser()
  const browser = web.browser()
  await browser.call('login', user)
  return { user, browser }
}

const open = (query: string, browser?: TestBrowser) =>
  page.GET(
    new Request(`${address}${query}`, { headers: { cookie: browser?.cookieHeader() ?? '' } }),
  )

function send(fields: Record<string, string>, browser: TestBrowser) {
  const headers = { cookie: browser.cookieHeader() }
  const body = new URLSearchParams(fields)
  return page.POST(new Request(address, { method: 'POST', headers, body }))
}

function formIn(text: string) {
  const hidden = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g
  return Object.fromEntries([...text.matchAll(hidden)].map(([, name, value]) => [name, value]))
}

/** Where the answer takes the browser by itself. */
function takenTo({ status, headers }: Response) {
  expect(status).toBe(200)
  return new URL(/^0;url=(.*)$/.exec(headers.get('refresh') ?? '')?.[1] ?? '')
}

/** In any order: no client looks at it. */
const fieldsOf = (given: string) =>
  Object.fromEntries(new URL(given, 'http://localhost').searchParams)

describe('the consent page of an application that signs users in', () => {
  it('asks nothing where the application is trusted, and takes the browser back at once', async () => {
    const { browser } = await signedIn()
    const to = takenTo(await open(await passedOn(), browser))
    expect([to.origin + to.pathname, to.searchParams.get('state')]).toEqual([
      redirectUri,
      'a state',
    ])
    expect(to.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })

  it('asks for the user’s consent where it is not', async () => {
    const { browser } = await signedIn()
    const answer = await open(await passedOn({ client_id: 'partner' }), browser)
    const text = await answer.text()
    expect([answer.status, answer.headers.get('refresh')]).toEqual([200, null])
    expect(text).toContain('<h1>Sign in to <bdi>Partner</bdi> with your account?</h1>')
    expect(text).not.toContain('account settings')
    expect(text).toContain('<li>Know that it is you</li><li>See your email address</li>')
    const to = takenTo(await send({ ...formIn(text), decision: 'allow' }, browser))
    expect(to.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })

  it('sends a signed-out user to sign in, and goes on with the same request', async () => {
    const query = await passedOn()
    const away = await open(query)
    const location = away.headers.get('location') ?? ''
    expect(location).toMatch(/^\/login\?returnTo=/)
    const { browser } = await signedIn()
    browser.keep(away)
    const returnTo = new URL(location, address).searchParams.get('returnTo') ?? ''
    const back = await open(new URL(returnTo, address).search, browser)
    expect(fieldsOf(back.headers.get('location') ?? '')).toEqual(fieldsOf(query))
  })

  it('shows no page for prompt=none: it has the application told that no one is signed in', async () => {
    const query = await passedOn({ prompt: 'none' })
    const { status, headers } = await open(query)
    const location = headers.get('location') ?? ''
    expect([status, location.split('?')[0]]).toEqual([303, '/_auth/oauth2/authorize'])
    expect(fieldsOf(location)).toEqual(fieldsOf(query))
    const told = await fetch(`${api.url}${location}`, { redirect: 'manual' })
    const to = new URL(told.headers.get('location') ?? '')
    expect([to.origin + to.pathname, to.searchParams.get('error')]).toEqual([
      redirectUri,
      'login_required',
    ])
    const { browser } = await signedIn()
    expect(takenTo(await open(query, browser)).searchParams.get('code')).toBeTruthy()
  })

  it('shows no page for prompt=none to a user who must set a new password: the application is told', async () => {
    configureAuth({ enforcePasswordChange: true })
    const { user, browser } = await signedIn()
    const query = await passedOn({ prompt: 'none' })
    await api.auth.db.execute(
      `update svc_auth.users set password_change_required = true where user_id = '${user.userId}'`,
    )
    const { status, headers } = await open(query, browser)
    const location = headers.get('location') ?? ''
    expect([status, location.split('?')[0]]).toEqual([303, '/_auth/oauth2/authorize'])
    const told = await fetch(`${api.url}${location}`, { redirect: 'manual' })
    const to = new URL(told.headers.get('location') ?? '')
    expect([to.origin + to.pathname, to.searchParams.get('error')]).toEqual([
      redirectUri,
      'login_required',
    ])
    expect(await (await open(await passedOn(), browser)).text()).toContain('password')

    // The same on the page of Next.
    for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
    next.headers = new Headers({ cookie: browser.cookieHeader() })
    const ways = { path: '/oauth2/consent', loginPath: '/login' }
    const consent = await readConsent(new URLSearchParams(query), ways)
    expect(consent).toMatchObject({ state: 'back' })
    expect('path' in consent && fieldsOf(consent.path)).toEqual(fieldsOf(query))
    vi.unstubAllEnvs()
  })

  it('shows the page in spite of prompt=none if no application can be told, and is not asked in a circle', async () => {
    const query = await passedOn({ prompt: 'none' })
    const unknown = new URLSearchParams(query)
    unknown.set('redirect_uri', `${redirectUri}/unknown`)
    const away = (await open(`?${unknown}`)).headers.get('location') ?? ''
    const accept = 'text/html'
    const back = await fetch(`${api.url}${away}`, { redirect: 'manual', headers: { accept } })
    const { search } = new URL(back.headers.get('location') ?? '')
    expect((await open(search)).headers.get('location')).toMatch(/^\/login\?returnTo=/)
  })

  it('asks for the password again for prompt=login, and for no consent', async () => {
    const { user, browser } = await signedIn()
    const query = await passedOn({ prompt: 'login' })
    // The web process signs with the time of the machine: the proof must come after the request.
    api.clock.advance(1000)
    const asked = await open(query, browser)
    const text = await asked.text()
    expect(text).toContain('name="password" type="password"')
    const { password } = user
    const to = takenTo(await send({ ...formIn(text), password, decision: 'allow' }, browser))
    expect(to.searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })
})
