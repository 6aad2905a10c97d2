import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { type AuthContract, authRouteMap } from '@svc/auth'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createAuthForwarding } from '../forwarding.ts'
import {
  createOAuth2ConsentPage,
  createRevokeAllPage,
  createServerApi,
  getSession,
} from '../next.ts'
import { BindingBrowser } from '../test-binding-browser.ts'
import { startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const page = { headers: new Headers() }
vi.mock('next/headers.js', () => ({ headers: async () => page.headers }))

const { router, routeMap } = testOperations({ look: () => ({ body: {} }) })
const web = await startTestWeb({
  router,
  routeMap,
  webEnv: { SVC_PROXY_SECRET: 'p1:Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne', SVC_AUTH_DBSC: 'on' },
})
afterAll(web.api.stop)

/** The requests at the API, which runs in this process. */
const arrived: IncomingMessage['headers'][] = []
subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage }
  if (request.headers.host === new URL(web.api.url).host) arrived.push(request.headers)
})

beforeEach(() => {
  arrived.length = 0
  web.api.clock.set(new Date())
  for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
  return () => vi.unstubAllEnvs()
})

// Headers that tracers, load balancers, identity-aware proxies and frameworks set, and that the server behind trusts.
const hostile = Object.fromEntries(
  [
    'traceparent tracestate baggage b3 x-b3-traceid x-datadog-trace-id sentry-trace uber-trace-id',
    'x-amzn-trace-id x-cloud-trace-context x-request-id x-correlation-id x-amzn-requestid',
    'x-auth-request-user x-auth-request-email x-forwarded-user x-forwarded-email remote-user',
    'x-remote-user x-webauth-user x-authenticated-userid x-goog-authenticated-user-email',
    'x-ms-client-principal cf-access-jwt-assertion x-amzn-oidc-data x-consumer-username x-user-id',
    'x-envoy-external-address x-envoy-original-path x-real-ip x-client-ip true-client-ip forwarded',
    'cf-connecting-ip fastly-client-ip x-cluster-client-ip x-forwarded-for x-forwarded-host',
    'x-forwarded-proto x-forwarded-prefix x-original-url x-rewrite-url x-http-method-override',
    'x-middleware-subrequest x-svc-proxy-address x-svc-proxy-signature x-svc-client-address range',
    'if-match x-api-key api-key x-csrf-token proxy-authorization x-internal cache-control pragma',
  ].flatMap((names) => names.split(' ').map((name) => [name, 'planted'])),
)

/** Those that fetch itself sends, and those that sign. */
const ours = [
  'host connection accept-encoding sec-fetch-mode content-length transfer-encoding',
  'accept accept-language user-agent content-type authorization',
  'x-svc-proxy-key x-svc-proxy-timestamp x-svc-proxy-nonce x-svc-proxy-body',
  'x-svc-proxy-signature',
].flatMap((names) => names.split(' '))

function expectNothingPlanted() {
  expect(arrived).not.toEqual([])
  for (const headers of arrived) {
    expect(Object.keys(headers).filter((name) => !ours.includes(name))).toEqual([])
    expect(JSON.stringify(headers)).not.toContain('planted')
  }
}

async function signedIn() {
  const user = await web.api.createUser()
  const browser = web.browser()
  await browser.call('login', user)
  arrived.length = 0
  return browser
}

describe(`of ${Object.keys(hostile).length} hostile headers none arrives at the API`, () => {
  it('by a call, signed in or not, as a header or in its input', async () => {
    const browser = await signedIn()
    expect((await browser.call('look', {}, hostile)).status).toBe(200)
    expect((await web.browser().call('look', {}, hostile)).status).toBe(200)
    const input = encodeURIComponent(JSON.stringify({ headers: hostile }))
    const url = `http://web.test/api/rpc/getAuthSession?input=${input}`
    await web.proxy.GET(new Request(url, { headers: { cookie: browser.cookieHeader() } }))
    expect(arrived).toHaveLength(3)
    expectNothingPlanted()
  })

  it('by what the web host forwards', async () => {
    const { GET, POST } = createAuthForwarding({ apiUrl: web.api.url, env: web.env })
    const headers = { ...hostile, cookie: 'svc_session=planted; svc_csrf=planted; other=planted' }
    for (const path of [
      '/_auth/session',
      '/api/auth/_auth/oauth/google/callback?state=x',
      '/.well-known/oauth-authorization-server',
    ]) {
      await GET(new Request(`http://web.test${path}`, { headers }))
    }
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', headers: form, body: 'grant_type=none' }
    await POST(new Request('http://web.test/_auth/oauth2/token', init))
    expect(arrived).toHaveLength(4)
    expectNothingPlanted()
  })

  it('by what a page asks', async () => {
    const browser = await signedIn()
    page.headers = new Headers({ ...hostile, cookie: browser.cookieHeader() })
    expect(await getSession()).not.toBeNull()
    await createServerApi<AuthContract>({ routeMap: authRouteMap })().listKeys.call({ body: {} })
    expect(arrived).toHaveLength(2)
    expectNothingPlanted()
  })

  it('by the pages that sign out everywhere and let an agent in', async () => {
    const browser = await signedIn()
    const headers = { ...hostile, cookie: browser.cookieHeader() }
    await createRevokeAllPage({ env: web.env }).GET(
      new Request('http://web.test/account/revoke-all?token=t', { headers }),
    )
    const asks = 'response_type=code&client_id=c&redirect_uri=https://agent.test/back'
    await createOAuth2ConsentPage({ env: web.env }).GET(
      new Request(`http://web.test/oauth2/consent?${asks}`, { headers }),
    )
    expect(arrived.length).toBeGreaterThan(1)
    expectNothingPlanted()
  })

  it('by a browser that binds its session', async () => {
    const browser = new BindingBrowser(web)
    await browser.call('login', await web.api.createUser())
    arrived.length = 0
    expect((await browser.register(hostile)).status).toBe(200)
    expectNothingPlanted()
  })
})
