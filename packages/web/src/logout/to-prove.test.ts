import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { returnPath } from '../page/client.ts'
import { signInBinding } from '../test-binding-browser.ts'
import { startTestWeb } from '../test-browser.ts'
import { readLogout } from './logout.ts'

const page = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => page.headers }))
// Of one request of Next. Here, each page is another one.
vi.mock('react', async (original) => ({
  ...(await original<object>()),
  cache: (work: unknown) => work,
}))

const signedOutUri = 'https://intranet.example.com/signed-out'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const web = await startTestWeb({
  env: { SVC_AUTH_OPENID_KEYS: JSON.stringify([privateKey.export({ format: 'jwk' })]) },
  webEnv: { SVC_AUTH_DBSC: 'on' },
  options: {
    authorizationServer: {
      scopes: { 'board:read': 'Read the board' },
      openid: {
        clients: {
          intranet: {
            name: 'Intranet',
            redirectUris: ['https://intranet.example.com/callback'],
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
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

/** What the logout endpoint has put into the address of the page. */
async function requestWith(state: string) {
  const asked = { client_id: 'intranet', post_logout_redirect_uri: signedOutUri, state }
  const url = `${api.url}/_auth/oauth2/logout?${new URLSearchParams(asked)}`
  const { headers } = await fetch(url, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '').searchParams.get('request') ?? ''
}

/** Opens the page in a browser with a bound session that it has not proved. */
async function arrive(request: string) {
  const { browser } = await signInBinding(web)
  browser.page.cookies.delete('svc_session_proof')
  const open = (given: string) => {
    page.headers = new Headers({ cookie: browser.page.cookieHeader() })
    return readLogout(given, { path: '/oauth2/logout', loginPath: '/login' })
  }
  const first = await open(request)
  return { browser, open, first }
}

describe('the page of a logout, in a browser that has to prove its session first', () => {
  it.each([10, 1500])(
    'comes back to the request of the application, with a state of %i characters',
    async (length) => {
      const state = 'x'.repeat(length)
      const { browser, open, first } = await arrive(await requestWith(state))
      if (first.state !== 'to sign in') throw new Error(first.state)
      const { searchParams } = new URL(first.path, 'http://web.test')
      const back = returnPath(searchParams.get('returnTo') ?? '')
      expect(back).toMatch(/^\/oauth2\/logout\?request=/)
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(first.cookie) ?? []
      browser.page.cookies.set(name, value)
      await browser.refresh()
      const again = await open(new URL(back, 'http://web.test').searchParams.get('request') ?? '')
      expect(again).toMatchObject({
        state: 'asked',
        facts: { redirectTo: `${signedOutUri}?state=${state}` },
      })
    },
  )

  it('has nothing to ask if no cookie holds the request, or it is no longer there', async () => {
    const { first, open } = await arrive(await requestWith('가'.repeat(1000)))
    expect(first).toEqual({ state: 'invalid', description: 'It is too long.' })
    expect(await open('x'.repeat(22))).toMatchObject({
      state: 'invalid',
      description: 'The request has expired. Sign out again in the application.',
    })
  })
})
