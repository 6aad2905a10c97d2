import { join } from 'node:path'
import { withoutIPv6 } from '@svc/core/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { runSvc } from '../testing/application.ts'
import { google, providers, startDeployment, type TestDeployment } from '../testing/deployment.ts'
import { diagnose, faultOf } from '../testing/diagnose.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let deployment: TestDeployment
beforeAll(async () => {
  deployment = await startDeployment()
})
afterAll(() => deployment.stop())
beforeEach(() => deployment.behave())

const callback = 'GET /_auth/oauth/google/callback'
const list = 'GET /_auth/oauth/providers'

describe('svc doctor', () => {
  it('finds nothing wrong with a deployment that is right', async () => {
    const { code, stdout, stderr } = await diagnose(deployment)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "Signing in with a provider
        web app   <app>   from --app
        API       <api>   from --api

      ✓ The web app answers.
      ✓ The API answers.
      ✓ The web app forwards /_auth/* to the API.
      ✓ On for the web: google.
      ✓ google: a sign-in begins.
      ✓ google: the redirect URI is <app>/_auth/oauth/google/callback
        Register exactly this one: Google Cloud console, Credentials, the client, "Authorized redirect URIs".
      ✓ google: the browser keeps the cookies.
      ✓ google: the callback reaches the API, with its query and its cookies.
      ✓ The page after a sign-in is there: /auth/callback
      ✓ The page after a failure is there: /auth/error

      Nothing wrong was found.
      If a provider still refuses, check that the redirect URI registered there is exactly the one above.
      "
    `)
  })

  it.skipIf(withoutIPv6)(
    `finds nothing wrong with one at an address of IPv6${withoutIPv6}`,
    async () => {
      const atIPv6 = await startDeployment('::1')
      onTestFinished(async () => void (await atIPv6.stop()))
      atIPv6.behave()
      expect(atIPv6.app).toMatch(/^http:\/\/\[::1\]:\d+$/)
      const { code, stdout } = await diagnose(atIPv6)
      expect(stdout).toContain('Nothing wrong was found.')
      expect(code).toBe(0)
    },
  )

  it('takes the addresses of the application, as browsers use them', async () => {
    const { app, api } = deployment
    const { code, stdout } = await runSvc(['doctor'], {
      env: { NEXT_PUBLIC_SVC_APP_URL: `${app}/`, SVC_API_URL: api },
    })
    expect(code).toBe(0)
    expect(stdout).toContain(`web app   ${app}   from NEXT_PUBLIC_SVC_APP_URL\n`)
    expect(stdout).toContain(`API       ${api}   from SVC_API_URL\n`)
  })

  describe('with variables in files', () => {
    /** As a process, with the secret of a provider in a file of this text, or in none. */
    function doctorWith(text?: string) {
      const folder = temporaryFolder(text === undefined ? {} : { secret: text })
      return runSvc(['doctor', '--app', deployment.app, '--api', deployment.api], {
        env: {
          // What the API alone reads is none of its business.
          DATABASE_URL_FILE: join(folder, 'nowhere'),
          SVC_AUTH_GITHUB_CLIENT_SECRET_FILE: join(folder, 'secret'),
        },
      })
    }

    it('knows that a variable is set', async () => {
      const { code, stdout } = await doctorWith('a secret\n')
      expect(code).toBe(0)
      expect(stdout).toContain('SVC_AUTH_GITHUB_CLIENT_SECRET is set here')
      expect(stdout).not.toContain('a secret')
    })

    it.each([
      ['is not there', undefined, 'names a file that does not exist'],
      ['is empty', '', 'names an empty file'],
    ])('refuses one that %s', async (_, text, problem) => {
      const { code, stderr } = await doctorWith(text)
      expect(code).toBe(1)
      const name = 'SVC_AUTH_GITHUB_CLIENT_SECRET'
      expect(stderr).toContain(`${name} cannot be read: ${name}_FILE ${problem}`)
    })
  })

  it('says that variables contradict each other', async () => {
    const { code, stdout } = await diagnose(deployment, {
      env: {
        NEXT_PUBLIC_SVC_APP_URL: 'https://app.example.com',
        SVC_APP_URL: 'https://www.example.com',
      },
    })
    expect(code).toBe(0)
    expect(stdout).toContain('! NEXT_PUBLIC_SVC_APP_URL and SVC_APP_URL differ.\n')
  })

  it.each(['ftp://app.example.com', 'localhost:3790', 'file:///etc/passwd'])(
    'does not take %s for an address',
    async (address) => {
      expect(await diagnose(deployment, { args: ['--app', address] })).toEqual({
        code: 2,
        stdout: '',
        stderr: `svc doctor: --app takes an address such as https://app.example.com, not "${address}".`,
      })
    },
  )

  it('does not take an address with a password, nor show it', async () => {
    const { code, stderr } = await diagnose(deployment, {
      args: ['--api', 'http://me:hunter2@api.example.com'],
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        '--api must be an address such as https://app.example.com, without a user or a password.',
    })
  })

  it('shows nothing of a sign-in, nor what moves the cursor', async () => {
    const json = { __type: 'Odd\u001B[2J', message: 'gone' }
    deployment.behave({ app: { [callback]: { status: 400, json } } })
    const { stdout } = await diagnose(deployment)
    expect(stdout).toContain('was answered 400 Odd[2J: gone.')
    expect(stdout).not.toMatch(/sealed|nonce/)
  })
})

describe('an address where nothing is', () => {
  it('is the web app’s: the rest is not looked at', async () => {
    const { code, stdout } = await diagnose(deployment, { args: ['--app', 'http://127.0.0.1:2'] })
    expect(code).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "Signing in with a provider
        web app   http://127.0.0.1:2       from --app
        API       <api>   from --api

      ✗ The web app does not answer.
        Seen  GET http://127.0.0.1:2/ got no answer: nothing listens there.
        Why   Providers send the browser back to it.
        Do    Start it, look at its log, or give its address with --app.

      ✓ The API answers.

      One thing is wrong. Fix it, and run this again.
      "
    `)
  })

  it('is the API’s, which the web app does not reach either', async () => {
    deployment.behave({ app: { [list]: { status: 500 } } })
    const { code, stdout } = await diagnose(deployment, { args: ['--api', 'http://api.invalid'] })
    expect(code).toBe(1)
    expect(stdout).toContain('✗ The API does not answer.\n')
    expect(stdout).toContain('✗ The web app does not reach the API.\n')
  })

  it('is no fault when it is the API’s and the web app reaches it', async () => {
    const { code, stdout } = await diagnose(deployment, { args: ['--api', 'http://api.invalid'] })
    expect(code).toBe(0)
    expect(stdout).toContain('! The API does not answer from here.\n')
  })
})

describe('the API', () => {
  it('is degraded', async () => {
    const health = { status: 503, json: { status: 'degraded' } }
    expect(await faultOf(deployment, { api: { 'GET /_core/health': health } })).toContain(
      'The API answers, but its status is degraded.',
    )
  })

  it('is something else', async () => {
    const fault = await faultOf(deployment, { api: { 'GET /_core/health': null, [list]: null } })
    expect(fault).toContain('Something else answers where the API should be.')
  })

  it('has no sign-in', async () => {
    const json = { __type: 'NotFoundError', message: 'Not Found' }
    const none = { [list]: { status: 404, json } }
    expect(await faultOf(deployment, { app: none, api: none })).toContain('createAuthLifecycle()')
  })

  it('has no provider on: it says which variables turn one on', async () => {
    const none = { [list]: providers({ id: 'apple', web: false, native: true }) }
    expect(await faultOf(deployment, { app: none, api: none })).toMatchInlineSnapshot(`
      "✗ No provider is on for the web.
        Seen  The API lists apple, for apps only.
        Why   The API turns a provider on when all of its variables are set.
        Do    Set SVC_AUTH_TOKEN_ENCRYPTION_KEYS and the variables of one provider for the API, and restart it:
                Google: SVC_AUTH_GOOGLE_CLIENT_ID, SVC_AUTH_GOOGLE_CLIENT_SECRET
                GitHub: SVC_AUTH_GITHUB_CLIENT_ID, SVC_AUTH_GITHUB_CLIENT_SECRET
                Kakao: SVC_AUTH_KAKAO_CLIENT_ID
                Naver: SVC_AUTH_NAVER_CLIENT_ID, SVC_AUTH_NAVER_CLIENT_SECRET"
    `)
  })

  it('has not been given the variables of a provider', async () => {
    const { code, stdout } = await diagnose(deployment, {
      env: { SVC_AUTH_GITHUB_CLIENT_ID: 'hunter2' },
    })
    expect(code).toBe(0)
    expect(stdout).toContain(
      '! github: is not on for the web, but some of its variables are set.\n',
    )
    expect(stdout).toContain('Set SVC_AUTH_GITHUB_CLIENT_ID and SVC_AUTH_GITHUB_CLIENT_S')
    expect(stdout).not.toContain('hunter2')
  })

  it('answers to the web proxy only', async () => {
    const json = {
      __type: 'ForbiddenError',
      message: 'This API accepts requests from its web app only.',
    }
    const strict = { [list]: { status: 403, json } }
    expect(await faultOf(deployment, { app: strict, api: strict })).toContain('SVC_PROXY_GUARD=tag')
  })
})

describe('a missing rewrite', () => {
  it('is explained, with what next.config.ts needs', async () => {
    expect(
      await faultOf(deployment, { app: { [list]: null, [callback]: null } }),
    ).toMatchInlineSnapshot(`
      "✗ Missing rewrite: the web app does not forward /_auth/* to the API.
        Seen  GET <app>/_auth/oauth/providers was answered 404 with text/html. The API itself answers.
        Why   Providers send the browser back to /_auth/oauth/… of the web app, and the API must answer there.
        Do    Add this to next.config.ts, then rebuild and restart the web app:
                import { authRewrites } from '@svc/web/next'
                rewrites: async () => authRewrites(),
                and in app/api/auth/[...path]/route.ts:
                export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createAuthForwarding({ apiUrl })
              If that is there already, a proxy in front of the web app handles /_auth/ itself. Configure it to forward /_auth/ to the web app."
    `)
  })

  it('is told from one that leads to no API, or to another', async () => {
    expect(await faultOf(deployment, { app: { [list]: { status: 500 } } })).toContain('SVC_API_URL')
    const another = providers(google, { id: 'github', web: false, native: false })
    expect(await faultOf(deployment, { app: { [list]: another } })).toContain('another API')
  })

  it('is told from a redirect to the sign-in form', async () => {
    const toLogin = { status: 307, headers: { location: '/login?next=%2F_auth' } }
    const fault = await faultOf(deployment, { app: { [list]: toLogin } })
    expect(fault).toContain('was answered 307 to <app>/login.')
    expect(fault).toContain('the matcher of proxy.ts')
  })

  it('is told from one for other paths than the callback', async () => {
    const fault = await faultOf(deployment, { app: { [callback]: null } })
    expect(fault).toContain('google: the callback does not reach the API.')
  })
})
