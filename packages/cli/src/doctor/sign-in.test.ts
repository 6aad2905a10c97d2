import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  departure,
  google,
  leadingTo,
  providers,
  rightCookies,
  startDeployment,
  type TestDeployment,
} from '../testing/deployment.ts'
import { diagnose, faultOf } from '../testing/diagnose.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await startDeployment()
})
afterAll(() => deployment.stop())
beforeEach(() => deployment.behave())

const leaving = 'POST /api/rpc/getProviderOAuthUrl'
const callback = 'GET /_auth/oauth/google/callback'
const list = 'GET /_auth/oauth/providers'

describe('a sign-in that does not begin', () => {
  const notFound = { __type: 'NotFoundError', message: 'Operation not found.' }

  it.each([
    ['there is no proxy', null, '/api/rpc does not exist'],
    ['the proxy does not know it', { status: 404, json: notFound }, 'authRouteMap'],
    ['the proxy fails', { status: 500 }, 'the log of the web app'],
    [
      'the API is away',
      { status: 503, json: { __type: 'ServiceUnavailableError' } },
      'SVC_API_URL',
    ],
    ['it is too often', { status: 429, json: { __type: 'TooManyRequestsError' } }, 'a minute'],
    [
      'the web app is not believed',
      { status: 403, json: { __type: 'ForbiddenError' } },
      'SVC_PROXY_SECRET',
    ],
  ])('is explained: %s', async (_, reply, advice) => {
    expect(await faultOf(deployment, { app: { [leaving]: reply } })).toContain(advice)
  })

  it('is explained once for all providers', async () => {
    const both = { [list]: providers(google, { ...google, id: 'github' }) }
    deployment.behave({ app: { ...both, [leaving]: null }, api: both })
    const { stdout } = await diagnose(deployment)
    expect(stdout).toContain('✗ github: no sign-in begins. As above.\n')
  })
})

describe('a wrong redirect URI', () => {
  const told = (redirectUri: string) => ({ [leaving]: departure(deployment.app, { redirectUri }) })

  it('is explained when it is on another host, with the one to register', async () => {
    const uri = 'https://www.example.com/_auth/oauth/google/callback'
    expect(await faultOf(deployment, { app: told(uri) })).toMatchInlineSnapshot(`
      "✗ google: wrong redirect URI.
        Seen  The provider is told https://www.example.com/_auth/oauth/google/callback
        Why   That is not on <app>, where the sign-in started. The browser does not send its cookies there, so the callback refuses it.
        Do    Set NEXT_PUBLIC_SVC_APP_URL=<app> for the API, or give the address that browsers use with --app.
              Unset SVC_AUTH_GOOGLE_REDIRECT_URI and SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK of the API. Restart the API.
              Then register (Google Cloud console, Credentials, the client, "Authorized redirect URIs"):
                <app>/_auth/oauth/google/callback"
    `)
  })

  it('is explained when it is another path', async () => {
    const fault = await faultOf(deployment, { app: told(`${deployment.app}/auth/google/callback`) })
    expect(fault).toContain('Unset SVC_AUTH_GOOGLE_REDIRECT_URI')
    expect(fault).not.toContain('NEXT_PUBLIC_SVC_APP_URL')
  })

  it('is explained for a provider of the application, which has no variables', async () => {
    const own = { [list]: providers({ ...google, id: 'my-idp' }) }
    const fault = await faultOf(deployment, {
      app: { ...own, ...told('https://www.example.com/_auth/oauth/my-idp/callback') },
      api: own,
    })
    expect(fault).toContain('Let getAuthUrl of this provider use the redirectUri')
    expect(fault).not.toContain('_REDIRECT_URI')
  })

  it('is a lost cookie when it is localhost for 127.0.0.1', async () => {
    const local = deployment.app.replace('127.0.0.1', 'localhost')
    expect(
      await faultOf(deployment, { app: told(`${local}/_auth/oauth/google/callback`) }),
    ).toMatchInlineSnapshot(`
      "✗ google: lost cookie: the sign-in begins on 127.0.0.1 and ends on localhost.
        Seen  The redirect URI is http://localhost:<port>/_auth/oauth/google/callback, and the web app was asked at <app>.
        Why   To a browser, these are two hosts with separate cookies, so the callback finds no cookie.
        Do    Always open the web app at http://localhost:<port>. Or set NEXT_PUBLIC_SVC_APP_URL=<app> for the API and the web app, restart both, and register (Google Cloud console, Credentials, the client, "Authorized redirect URIs"):
                <app>/_auth/oauth/google/callback"
    `)
  })
})

describe('a lost cookie', () => {
  const set = (setCookies: string[]) => ({ [leaving]: departure(deployment.app, { setCookies }) })
  const changed = (from: string, to: string) =>
    set(rightCookies(deployment.app).map((cookie) => cookie.replace(from, to)))

  it('is explained when none is set', async () => {
    expect(await faultOf(deployment, { app: set([]) })).toMatchInlineSnapshot(`
      "✗ Lost cookie: svc_oauth_csrf_<port> and svc_oauth_pending, not set.
        Seen  The sign-in has begun, and the answer sets no cookie.
        Why   The callback checks these cookies to see that this browser started the sign-in, and the web app finishes the sign-in with them.
        Do    In app/api/rpc/[name]/route.ts, with authInterceptors of @svc/web/proxy:
                createRpcProxy({ …, interceptors: [authInterceptors()] })
              If that is there already, a proxy in front of the web app removes Set-Cookie from its responses."
    `)
  })

  it('is explained when one of them is not set', async () => {
    const [pending = '', nonce = ''] = rightCookies(deployment.app)
    expect(await faultOf(deployment, { app: set([pending]) })).toContain(
      'svc_oauth_csrf_<port>, not set.',
    )
    expect(await faultOf(deployment, { app: set([nonce]) })).toContain(
      'svc_oauth_pending, not set.',
    )
  })

  it.each([
    ['Path=/', 'Path=/api', 'not for Path=/.'],
    ['SameSite=Lax', 'SameSite=Strict', 'not SameSite=Lax.'],
    ['Path=/', 'Path=/; Domain=example.com', 'with a Domain.'],
    ['; HttpOnly', '', 'Not HttpOnly: '],
  ])('is explained: %s has become %s', async (from, to, seen) => {
    expect(await faultOf(deployment, { app: changed(from, to) })).toContain(seen)
  })

  it('is no more than likely when it is Secure on this machine, or named after another port', async () => {
    deployment.behave({ app: changed('Path=/', 'Path=/; Secure') })
    const secure = await diagnose(deployment)
    expect(secure.code).toBe(0)
    expect(secure.stdout).toContain(
      '! For https alone: svc_oauth_pending and svc_oauth_csrf_<port>.',
    )
    deployment.behave({ app: changed('csrf_', 'csrf_1') })
    const named = await diagnose(deployment)
    expect(named.code).toBe(0)
    expect(named.stdout).toContain('! Named after another port: svc_oauth_csrf_1<port>.\n')
  })

  it('is explained when it is dropped on the way to the API', async () => {
    const fault = await faultOf(deployment, { app: { [callback]: leadingTo('cookie_missing') } })
    expect(fault).toContain('google: lost cookie: the callback says cookie_missing.')
  })
})

describe('a callback', () => {
  it.each([
    ['state_invalid', 'the same SVC_AUTH_VERIFICATION_TOKEN_SECRET'],
    ['expired', 'the clocks of all instances'],
    ['unreachable', 'Wait a minute'],
    ['account_unavailable', 'the log of the API'],
  ])('that says %s is explained', async (error, advice) => {
    expect(await faultOf(deployment, { app: { [callback]: leadingTo(error) } })).toContain(advice)
  })

  it('that leads elsewhere is explained', async () => {
    const elsewhere = { status: 307, headers: { location: '/login' } }
    expect(await faultOf(deployment, { app: { [callback]: elsewhere } })).toContain(
      'Stop redirecting /_auth/',
    )
  })

  it('may lead to a page that is configured and does not say which error it was', async () => {
    const own = { status: 302, headers: { location: '/oops' } }
    deployment.behave({ app: { [callback]: own, 'GET /oops': {} } })
    const { code, stdout } = await diagnose(deployment, {
      env: { SVC_AUTH_OAUTH_ERROR_URL: '/oops' },
    })
    expect(code).toBe(0)
    expect(stdout).toContain('✓ The page after a failure is there: /oops\n')
  })

  it('that leads to a page that is not there is explained', async () => {
    const failure = await faultOf(deployment, { app: { 'GET /auth/error': null } })
    expect(failure).toContain('The page after a failure is not there.')
    const success = await faultOf(deployment, { app: { 'GET /auth/callback': null } })
    expect(success).toContain('The page after a sign-in is not there.')
    expect(success).toContain('set SVC_AUTH_OAUTH_SUCCESS_URL for the API')
  })
})
