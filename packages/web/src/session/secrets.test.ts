import { inspect } from 'node:util'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb, type TestBrowser, testSecret } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const later = new Date(Date.now() + 900_000).toISOString()
const setup = (setupSecret: string) => () => ({
  body: { email: 'a@example.com', returnPath: '/', setupSecret, setupExpiresAt: later },
})
const setupSecrets = ['signup-setup-secret-of-the-test', 'reset-setup-secret-of-the-test']

const challenge = {
  secret: 'challenge-of-a-waiting-sign-in',
  expiresAtMillis: Date.now() + 900_000,
}

const { router, routeMap } = testOperations({
  confirmSignupLink: setup(setupSecrets[0] ?? ''),
  completeSignup: () => ({ status: 400, body: { __type: 'WeakPasswordError' } }),
  confirmPasswordReset: setup(setupSecrets[1] ?? ''),
  completePasswordReset: () => ({ status: 500, body: { __type: 'Error' } }),
  getGoogleOAuthUrl: () => ({ body: { authUrl: 'https://provider.test' } }),
  finalize: () => ({ status: 401, body: { __type: 'UnauthorizedError' } }),
  acceptInvitation: () => ({ status: 202, body: { mfaRequired: true, challenge } }),
  mfaVerify: () => ({ body: { mfaRequired: false, userId: 'u', keyId: 'another-key' } }),
})
beforeEach(leaveNode)
const web = await startTestWeb({ router, routeMap })
afterAll(web.api.stop)

/** Every private key that is exported meanwhile, and every token that a request is signed with. */
function watchSecrets() {
  const secrets = new Set<string>([testSecret, ...setupSecrets, challenge.secret])
  const exportKey = crypto.subtle.exportKey.bind(crypto.subtle)
  vi.spyOn(crypto.subtle, 'exportKey').mockImplementation(async (format: string, key) => {
    const bytes = await exportKey(format as 'pkcs8', key)
    if (key.type === 'private') secrets.add(Buffer.from(bytes).toString('base64'))
    return bytes
  })
  const send = fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
    const { authorization } = Object.fromEntries(new Request(request, init).headers)
    if (authorization) secrets.add(authorization.replace('Bearer ', ''))
    return send(request, init)
  })
  return secrets
}

/** Everything that is written to the console. */
function watchConsole() {
  const lines: string[] = []
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((...said) => {
      lines.push(said.map((each) => inspect(each, { depth: 9, showHidden: true })).join(' '))
    })
  }
  return lines
}

/** Everything that a browser is told: but for the sealed cookies, all of it. */
async function told(page: TestBrowser, name: string, body?: unknown) {
  const answer = await page.call(name, body)
  return [...answer.headers].join('\n') + (await answer.text())
}

const everything: [string, unknown?][] = [
  ['login', { email: 'nobody@example.com', password: 'password of nobody' }],
  ['confirmSignupLink', { token: 't' }],
  ['completeSignup', { password: 'password of nobody' }],
  ['confirmPasswordReset', { token: 't' }],
  ['completePasswordReset', { password: 'password of nobody' }],
  ['getGoogleOAuthUrl', { returnUrl: '/' }],
  ['finalize', {}],
  ['acceptInvitation', {}],
  ['mfaVerify', { challenge: 'c' }],
  ['getAuthSession'],
  ['listKeys', {}],
  ['rotateKey', {}],
  ['revokeKey', { keyId: 'not-a-key-of-ours' }],
  ['nothing', {}],
  ['logout'],
]

it('no private key, setup secret, challenge or token is in what a browser or a log is told', async () => {
  const secrets = watchSecrets()
  const lines = watchConsole()
  const user = await web.api.createUser()
  const page = web.browser()
  const heard = [await told(page, 'login', user)]
  for (const [name, body] of everything) heard.push(await told(page, name, body))

  // The API is down, which is logged.
  vi.mocked(fetch).mockRejectedValue(new TypeError('fetch failed'))
  heard.push(await told(page, 'login', user), await told(page, 'getAuthSession'))

  expect(secrets.size).toBeGreaterThan(15)
  expect(lines.length).toBeGreaterThan(0)
  const all = [...heard, ...lines].join('\n')
  for (const secret of [...secrets, user.password]) expect(all).not.toContain(secret)
  expect(all).not.toMatch(/privateKey|setupSecret|Bearer \w/)
})
