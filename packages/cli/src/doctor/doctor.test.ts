import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { main } from '../main.ts'
import { runSvc } from '../testing/application.ts'
import {
  departure,
  google,
  leadingTo,
  providers,
  type Replies,
  rightCookies,
  startDeployment,
  type TestDeployment,
} from '../testing/deployment.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await startDeployment()
})
afterAll(() => deployment.stop())
beforeEach(() => deployment.behave())

const leaving = 'POST /api/rpc/getProviderOAuthUrl'
const callback = 'GET /_auth/oauth/google/callback'
const list = 'GET /_auth/oauth/providers'

/** Runs the command on the deployment, in this process, and writes its addresses as names. */
async function diagnose(args: string[] = [], env: Record<string, string> = {}) {
  const { app, api } = deployment
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const [out, err] = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')]
  for (const printed of [out, err]) printed.mockReset().mockReturnValue()
  const code = await main(['doctor', '--app', app, '--api', api, ...args])
  vi.unstubAllEnvs()
  const text = out.mock.calls.map(([line = '']) => `${line}\n`).join('')
  const stdout = text.replaceAll(app, '<app>').replaceAll(api, '<api>')
  const stderr = err.mock.calls.join('\n')
  return { code, stdout: stdout.replaceAll(new URL(app).port, '<port>'), stderr }
}

/** What it says when one thing is wrong. */
async function faultOf(different: { app?: Replies; api?: Replies }) {
  deployment.behave(different)
  const { code, stdout, stderr } = await diagnose()
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toContain('One thing is wrong.')
  return stdout.slice(stdout.indexOf('✗')).split('\n\n')[0]
}

describe('svc doctor', () => {
  it('finds nothing wrong with a deployment that is right', async () => {
    const { code, stdout, stderr } = await diagnose()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Signing in with a provider
        web app   <app>   from --app
        API       <api>   from --api

      ✓ The web app answers.
      ✓ The API answers.
      ✓ The web app passes /_auth/* on to the API.
      ✓ On for the web: google.
      ✓ google: a sign-in begins.
      ✓ google: the redirect URI is <app>/_auth/oauth/google/callback
        It must be registered to the letter: Google Cloud console, Credentials, the client, "Authorized redirect URIs".
      ✓ google: the browser keeps the cookies.
      ✓ google: the callback reaches the API, with its query and its cookies.
      ✓ The page after a sign-in is there: /auth/callback
      ✓ The page after a failure is there: /auth/error

      Nothing is wrong that can be seen from here.
      If a provider still refuses, its redirect URI is registered otherwise than written above.
      "
    `)
  })

  it('takes the addresses of the application, as browsers use them', async () => {
    const { app, api } = deployment
    const { code, stdout } = await runSvc(['doctor'], {
      env: { NEXT_PUBLIC_SVC_APP_URL: `${app}/`, SVC_API_URL: api },
    })
    expect(code).toBe(0)
    expect(stdout).toContain(`web app   ${app}   from NEXT_PUBLIC_SVC_APP_URL\n`)
    expect(stdout).toContain(`API       ${api}   from SVC_API_URL\n`)
  })

  it('says that variables contradict each other', async () => {
    const { code, stdout } = await diagnose([], {
      NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com',
      SVC_APP_URL: 'https://www.example.com',
    })
    expect(code).toBe(0)
    expect(stdout).toContain('! NEXT_PUBLIC_SVC_APP_URL and SVC_APP_URL differ.\n')
  })

  it.each(['ftp://app.example.com', 'localhost:3790', 'file:///etc/passwd'])(
    'does not take %s for an address',
    async (address) => {
      expect(await diagnose(['--app', address])).toEqual({
        code: 2,
        stdout: '',
        stderr: `svc doctor: --app takes an address such as https://app.example.com; this is "${address}".`,
      })
    },
  )

  it('does not take an address with a password, nor show it', async () => {
    const { code, stderr } = await diagnose(['--api', 'http://me:hunter2@api.example.com'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        '--api must be an address such as https://app.example.com, without a user or a password.',
    })
  })

  it('shows nothing of a sign-in, nor what moves the cursor', async () => {
    const json = { __type: 'Odd\u001B[2J', message: 'gone' }
    deployment.behave({ app: { [callback]: { status: 400, json } } })
    const { stdout } = await diagnose()
    expect(stdout).toContain('was answered 400 Odd[2J: gone.')
    expect(stdout).not.toMatch(/sealed|nonce/)
  })
})

describe('an address where nothing is', () => {
  it('is the web app’s: the rest is not looked at', async () => {
    const { code, stdout } = await diagnose(['--app', 'http://127.0.0.1:2'])
    expect(code).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "Signing in with a provider
        web app   http://127.0.0.1:2       from --app
        API       <api>   from --api

      ✗ The web app does not answer.
        Seen  GET http://127.0.0.1:2/ got no answer: nothing listens there.
        Why   Providers send the browser back to it.
        Do    Start it, look at its log, or say with --app where it is.

      ✓ The API answers.

      One thing is wrong. Put it right, and run this again.
      "
    `)
  })

  it('is the API’s, which the web app does not reach either', async () => {
    deployment.behave({ app: { [list]: { status: 500 } } })
    const { code, stdout } = await diagnose(['--api', 'http://api.invalid'])
    expect(code).toBe(1)
    expect(stdout).toContain('✗ The API does not answer.\n')
    expect(stdout).toContain('✗ The web app does not reach the API.\n')
  })

  it('is no fault when it is the API’s and the web app reaches it', async () => {
    const { code, stdout } = await diagnose(['--api', 'http://api.invalid'])
    expect(code).toBe(0)
    expect(stdout).toContain('! The API does not answer from here.\n')
  })
})

describe('the API', () => {
  it('is degraded', async () => {
    const health = { status: 503, json: { status: 'degraded' } }
    expect(await faultOf({ api: { 'GET /_core/health': health } })).toContain(
      'The API answers, and is degraded.',
    )
  })

  it('is something else', async () => {
    const fault = await faultOf({ api: { 'GET /_core/health': null, [list]: null } })
    expect(fault).toContain('Something else answers where the API should be.')
  })

  it('has no sign-in', async () => {
    const json = { __type: 'NotFoundError', message: 'Not Found' }
    const none = { [list]: { status: 404, json } }
    expect(await faultOf({ app: none, api: none })).toContain('createAuthLifecycle()')
  })

  it('has no provider on: it says which variables turn one on', async () => {
    const none = { [list]: providers({ id: 'apple', web: false, native: true }) }
    expect(await faultOf({ app: none, api: none })).toMatchInlineSnapshot(`
      "✗ No provider is on for the web.
        Seen  The API lists apple, for apps alone.
        Why   The API turns a provider on when it starts with all of its variables.
        Do    Set those of one for the API, and SVC_AUTH_TOKEN_ENCRYPTION_KEYS with it. Then start the API anew:
                Google: SVC_AUTH_GOOGLE_CLIENT_ID, SVC_AUTH_GOOGLE_CLIENT_SECRET
                GitHub: SVC_AUTH_GITHUB_CLIENT_ID, SVC_AUTH_GITHUB_CLIENT_SECRET
                Kakao: SVC_AUTH_KAKAO_CLIENT_ID
                Naver: SVC_AUTH_NAVER_CLIENT_ID, SVC_AUTH_NAVER_CLIENT_SECRET"
    `)
  })

  it('has not been given the variables of a provider', async () => {
    const { code, stdout } = await diagnose([], { SVC_AUTH_GITHUB_CLIENT_ID: 'hunter2' })
    expect(code).toBe(0)
    expect(stdout).toContain('! github: is not on for the web, though it seems to be meant to.\n')
    expect(stdout).toContain('Give the API SVC_AUTH_GITHUB_CLIENT_ID and SVC_AUTH_GITHUB_CLIENT_S')
    expect(stdout).not.toContain('hunter2')
  })

  it('lets nobody but the web proxy in', async () => {
    const json = { __type: 'ForbiddenError', message: 'This API answers to its web app only.' }
    const strict = { [list]: { status: 403, json } }
    expect(await faultOf({ app: strict, api: strict })).toContain('SVC_PROXY_GUARD=tag')
  })
})

describe('a missing rewrite', () => {
  it('is explained, with what next.config.ts needs', async () => {
    expect(await faultOf({ app: { [list]: null, [callback]: null } })).toMatchInlineSnapshot(`
      "✗ Missing rewrite: the web app does not pass /_auth/* on to the API.
        Seen  GET <app>/_auth/oauth/providers was answered 404 with text/html. The API itself answers.
        Why   Providers send the browser back to /_auth/oauth/… of the web app, and the API has to answer there.
        Do    In next.config.ts; then build and start the web app anew:
                import { authRewrites } from '@svc/web/next'
                rewrites: async () => authRewrites(process.env.SVC_API_URL ?? 'http://localhost:8790'),
              If it is there: a proxy in front of the web app must leave /_auth/ to it."
    `)
  })

  it('is told from one that leads to no API, or to another', async () => {
    expect(await faultOf({ app: { [list]: { status: 500 } } })).toContain('SVC_API_URL')
    const another = providers(google, { id: 'github', web: false, native: false })
    expect(await faultOf({ app: { [list]: another } })).toContain('another API')
  })

  it('is told from a redirect to the sign-in form', async () => {
    const toLogin = { status: 307, headers: { location: '/login?next=%2F_auth' } }
    const fault = await faultOf({ app: { [list]: toLogin } })
    expect(fault).toContain('was answered 307 to <app>/login.')
    expect(fault).toContain('the matcher of proxy.ts')
  })

  it('is told from one for other paths than the callback', async () => {
    const fault = await faultOf({ app: { [callback]: null } })
    expect(fault).toContain('google: the callback does not reach the API.')
  })
})

describe('a sign-in that does not begin', () => {
  const notFound = { __type: 'NotFoundError', message: 'Operation not found.' }

  it.each([
    ['there is no proxy', null, 'there is none at /api/rpc'],
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
    expect(await faultOf({ app: { [leaving]: reply } })).toContain(advice)
  })

  it('is explained once for all providers', async () => {
    const both = { [list]: providers(google, { ...google, id: 'github' }) }
    deployment.behave({ app: { ...both, [leaving]: null }, api: both })
    const { stdout } = await diagnose()
    expect(stdout).toContain('✗ github: no sign-in begins. As above.\n')
  })
})

describe('a wrong redirect URI', () => {
  const told = (redirectUri: string) => ({ [leaving]: departure(deployment.app, { redirectUri }) })

  it('is explained when it is on another host, with the one to register', async () => {
    const uri = 'https://www.example.com/_auth/oauth/google/callback'
    expect(await faultOf({ app: told(uri) })).toMatchInlineSnapshot(`
      "✗ google: wrong redirect URI.
        Seen  The provider is told https://www.example.com/_auth/oauth/google/callback
        Why   That is not on <app>, where the sign-in began: the browser does not send its cookies there, and the callback refuses it.
        Do    Set NEXT_PUBLIC_SVC_APP_URL=<app> for the API, or say with --app where browsers find the web app.
              Leave SVC_AUTH_GOOGLE_REDIRECT_URI of the API out, and SVC_AUTH_OAUTH_CALLBACK_ORIGIN_CHECK too. Start the API anew.
              Then register (Google Cloud console, Credentials, the client, "Authorized redirect URIs"):
                <app>/_auth/oauth/google/callback"
    `)
  })

  it('is explained when it is another path', async () => {
    const fault = await faultOf({ app: told(`${deployment.app}/auth/google/callback`) })
    expect(fault).toContain('Leave SVC_AUTH_GOOGLE_REDIRECT_URI of the API out')
    expect(fault).not.toContain('NEXT_PUBLIC_SVC_APP_URL')
  })

  it('is a lost cookie when it is localhost for 127.0.0.1', async () => {
    const local = deployment.app.replace('127.0.0.1', 'localhost')
    expect(
      await faultOf({ app: told(`${local}/_auth/oauth/google/callback`) }),
    ).toMatchInlineSnapshot(`
      "✗ google: lost cookie: the sign-in begins on 127.0.0.1 and ends on localhost.
        Seen  The redirect URI is http://localhost:<port>/_auth/oauth/google/callback, and the web app was asked at <app>.
        Why   To a browser these are two hosts, and cookies are kept for each: the callback finds none.
        Do    Open the web app at http://localhost:<port>, always. Or set NEXT_PUBLIC_SVC_APP_URL=<app> for the API and the web app, start both anew, and register (Google Cloud console, Credentials, the client, "Authorized redirect URIs"):
                <app>/_auth/oauth/google/callback"
    `)
  })
})

describe('a lost cookie', () => {
  const set = (setCookies: string[]) => ({ [leaving]: departure(deployment.app, { setCookies }) })
  const changed = (from: string, to: string) =>
    set(rightCookies(deployment.app).map((cookie) => cookie.replace(from, to)))

  it('is explained when none is set', async () => {
    expect(await faultOf({ app: set([]) })).toMatchInlineSnapshot(`
      "✗ Lost cookie: svc_oauth_csrf_<port> and svc_oauth_pending, not set.
        Seen  The sign-in has begun, and the answer sets no cookie.
        Why   By its cookies the callback knows that this browser set out, and the web app finishes the sign-in with them.
        Do    In app/api/rpc/[name]/route.ts, with authInterceptors of @svc/web/proxy:
                createRpcProxy({ …, interceptors: [authInterceptors()] })
              If it is there: a proxy in front of the web app takes Set-Cookie out of its answers."
    `)
  })

  it('is explained when one of them is not set', async () => {
    const [pending = '', nonce = ''] = rightCookies(deployment.app)
    expect(await faultOf({ app: set([pending]) })).toContain('svc_oauth_csrf_<port>, not set.')
    expect(await faultOf({ app: set([nonce]) })).toContain('svc_oauth_pending, not set.')
  })

  it.each([
    ['Path=/', 'Path=/api', 'not for Path=/.'],
    ['SameSite=Lax', 'SameSite=Strict', 'not SameSite=Lax.'],
    ['Path=/', 'Path=/; Domain=example.com', 'with a Domain.'],
    ['; HttpOnly', '', 'Not HttpOnly: '],
  ])('is explained: %s has become %s', async (from, to, seen) => {
    expect(await faultOf({ app: changed(from, to) })).toContain(seen)
  })

  it('is no more than likely when it is Secure on this machine, or named after another port', async () => {
    deployment.behave({ app: changed('Path=/', 'Path=/; Secure') })
    const secure = await diagnose()
    expect(secure.code).toBe(0)
    expect(secure.stdout).toContain(
      '! For https alone: svc_oauth_pending and svc_oauth_csrf_<port>.',
    )
    deployment.behave({ app: changed('csrf_', 'csrf_1') })
    const named = await diagnose()
    expect(named.code).toBe(0)
    expect(named.stdout).toContain('! Named after another port: svc_oauth_csrf_1<port>.\n')
  })

  it('is explained when it is dropped on the way to the API', async () => {
    const fault = await faultOf({ app: { [callback]: leadingTo('cookie_missing') } })
    expect(fault).toContain('google: lost cookie: the callback says cookie_missing.')
  })
})

describe('a callback', () => {
  it.each([
    ['state_invalid', 'the same SVC_AUTH_VERIFICATION_TOKEN_SECRET'],
    ['expired', 'the clocks of all instances'],
    ['unreachable', 'Wait for a minute'],
    ['account_unavailable', 'the log of the API'],
  ])('that says %s is explained', async (error, advice) => {
    expect(await faultOf({ app: { [callback]: leadingTo(error) } })).toContain(advice)
  })

  it('that leads elsewhere is explained', async () => {
    const elsewhere = { status: 307, headers: { location: '/login' } }
    expect(await faultOf({ app: { [callback]: elsewhere } })).toContain('Leave /_auth/ out')
  })

  it('may lead to a page that is configured and does not say which error it was', async () => {
    const own = { status: 302, headers: { location: '/oops' } }
    deployment.behave({ app: { [callback]: own, 'GET /oops': {} } })
    const { code, stdout } = await diagnose([], { SVC_AUTH_OAUTH_ERROR_URL: '/oops' })
    expect(code).toBe(0)
    expect(stdout).toContain('✓ The page after a failure is there: /oops\n')
  })

  it('that leads to a page that is not there is explained', async () => {
    const failure = await faultOf({ app: { 'GET /auth/error': null } })
    expect(failure).toContain('The page after a failure is not there.')
    const success = await faultOf({ app: { 'GET /auth/callback': null } })
    expect(success).toContain('The page after a sign-in is not there.')
    expect(success).toContain('set SVC_AUTH_OAUTH_SUCCESS_URL for the API')
  })
})
