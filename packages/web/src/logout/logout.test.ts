import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestWeb } from '../test-browser.ts'
import { readLogout } from './logout.ts'

const page = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => page.headers }))
// Of one request of Next. Here, each page is another one.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  cache: (work: unknown) => work,
}))

const redirectUri = 'https://intranet.example.com/callback'
const signedOutUri = 'https://intranet.example.com/signed-out'
const secret = 'a secret'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const web = await startTestWeb({
  env: { SVC_AUTH_OPENID_KEYS: JSON.stringify([privateKey.export({ format: 'jwk' })]) },
  options: {
    authorizationServer: {
      scopes: { 'board:read': 'Read the board' },
      openid: {
        clients: {
          intranet: {
            name: 'Intranet',
            redirectUris: [redirectUri],
            secretHash: createHash('sha256').update(secret).digest('hex'),
            trusted: true,
            postLogoutRedirectUris: [signedOutUri],
          },
        },
      },
    },
  },
})
const { api } = web
afterAll(api.stop)
beforeEach(() => {
  // A page signs with the machine's time.
  api.clock.set(new Date())
  page.headers = new Headers()
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

/** What the logout endpoint has put into the address of the page. */
async function requestFor(fields: Record<string, string>) {
  const url = `${api.url}/_auth/oauth2/logout?${new URLSearchParams(fields)}`
  const { headers } = await fetch(url, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').searchParams.get('request') ?? ''
}

const open = (request: string) =>
  readLogout(request, { path: '/oauth2/logout', loginPath: '/login' })

async function signedIn() {
  const user = await api.createUser()
  const browser = web.browser()
  await browser.call('login', user)
  page.headers = new Headers({ cookie: browser.cookieHeader() })
  const session = await (await browser.call('getAuthSession')).json()
  return { user, browser, session }
}

/** An id token of the signed-in user, as the intranet has it. */
async function idToken(browser: Awaited<ReturnType<typeof signedIn>>['browser']) {
  const fields = { response_type: 'code', scope: 'openid', nonce: 'a nonce' }
  const body = { ...fields, client_id: 'intranet', redirect_uri: redirectUri, decision: 'allow' }
  const allowed = await browser.call('createOAuth2AuthorizationCode', body)
  const code = new URL((await allowed.json()).redirectTo).searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const answer = await fetch(`${api.url}/_auth/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, client_id: 'intranet', client_secret: secret }),
  })
  return (await answer.json()).id_token as string
}

const back = { client_id: 'intranet', post_logout_redirect_uri: signedOutUri, state: 'a state' }
const returned = `${signedOutUri}?state=a+state`

describe('the page of a logout', () => {
  it('asks a user who is signed in, and says as whom', async () => {
    const { user, session } = await signedIn()
    expect(await open(await requestFor(back))).toEqual({
      state: 'asked',
      facts: {
        clientName: 'Intranet',
        redirectTo: returned,
        redirectHost: 'intranet.example.com',
        account: user.email,
        keyId: session.keyId,
        isOther: false,
      },
    })
    expect(await open(await requestFor({}))).toMatchObject({
      state: 'asked',
      facts: { account: user.email, isOther: false },
    })
  })

  it('says that another account is signed in than the one of the hint', async () => {
    const { browser } = await signedIn()
    const request = await requestFor({ ...back, id_token_hint: await idToken(browser) })
    expect(await open(request)).toMatchObject({ state: 'asked', facts: { isOther: false } })
    const other = await signedIn()
    expect(await open(request)).toMatchObject({
      state: 'asked',
      facts: { isOther: true, account: other.user.email },
    })
  })

  it('goes on to the application at once for a user who is signed out', async () => {
    expect(await open(await requestFor(back))).toEqual({ state: 'back', path: returned })
    expect(await open(await requestFor({ client_id: 'intranet' }))).toEqual({ state: 'signed out' })
    const { browser } = await signedIn()
    await browser.call('logout')
    expect(await open(await requestFor(back))).toEqual({ state: 'back', path: returned })
  })

  it('is not there where no application can ask for it', async () => {
    const without = await startTestWeb()
    vi.stubEnv('SVC_API_URL', without.api.url)
    vi.resetModules()
    const { readLogout: read } = await import('./logout.ts')
    expect(await read('x', { path: '/oauth2/logout', loginPath: '/login' })).toEqual({
      state: 'not there',
    })
    await without.api.stop()
  })

  it('shows what is wrong with a request, and goes nowhere', async () => {
    for (const arrive of [async () => {}, signedIn]) {
      await arrive()
      const elsewhere = { ...back, post_logout_redirect_uri: 'https://evil.example/' }
      expect(await open(await requestFor(elsewhere))).toEqual({
        state: 'invalid',
        description: 'The post_logout_redirect_uri is not registered for this client.',
      })
      expect(await open('https://evil.example/')).toEqual({
        state: 'invalid',
        description: 'The request has expired. Sign out again in the application.',
      })
    }
  })
})
