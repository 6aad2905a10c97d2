import { createTestKey } from '@svc/auth/testing'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { Sealer } from '../session/sealer.ts'
import { startTestWeb, testSecret } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** As decisions 5 has it: the API answers the secret once, and takes it in the body from then on. */
const confirm = (setupSecret: string, setupExpiresAt = () => inMinutes(15)) => {
  const shown = { email: 'a@example.com', returnPath: '/next' }
  return () => ({ body: { ...shown, setupSecret, setupExpiresAt: setupExpiresAt() } })
}

const complete = (secret: string) => async (given: { body: Record<string, string> }) => {
  const { setupSecret, password, ...key } = given.body
  if (setupSecret !== secret) {
    return { status: 401, body: { __type: 'InvalidSignupSetupSessionError' } }
  }
  if (password === 'weak') return { status: 400, body: { __type: 'WeakPasswordError' } }
  if (password === 'factor') {
    const expiresAtMillis = Date.now() + 60_000
    return {
      status: 202,
      body: { mfaRequired: true, challenge: { secret: 'challenge', expiresAtMillis } },
    }
  }
  const user = await web.api.createUser()
  return { body: (await web.api.call('login', { ...key, ...user })).body }
}

const { router, routeMap, seen } = testOperations({
  confirmSignupLink: confirm('secret of signup'),
  completeSignup: complete('secret of signup'),
  confirmPasswordReset: confirm('secret of reset'),
  completePasswordReset: complete('secret of reset'),
})
const web = await startTestWeb({ router, routeMap })
const real = await startTestWeb()
afterAll(() => Promise.all([web.api.stop(), real.api.stop()]))
afterEach(() => {
  vi.useRealTimers()
})

const flows = [
  {
    open: 'confirmSignupLink',
    close: 'completeSignup',
    cookie: 'svc_signup_setup',
    purpose: 'signup setup',
    secret: 'secret of signup',
  },
  {
    open: 'confirmPasswordReset',
    close: 'completePasswordReset',
    cookie: 'svc_password_reset_setup',
    purpose: 'password reset setup',
    secret: 'secret of reset',
  },
] as const

const sealer = new Sealer(testSecret)

async function opened(name: string) {
  const page = web.browser()
  const answer = await page.call(name, { token: 'token' })
  return { page, answer }
}

describe.each(flows)('$open', ({ open, close, cookie, purpose, secret }) => {
  it('moves the secret into a cookie, for as long as it is good, and out of the answer (A-176, A-320, A-329)', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { answer } = await opened(open)
    expect(await answer.json()).toEqual({ email: 'a@example.com', returnPath: '/next' })
    const [set = '', ...others] = answer.headers.getSetCookie()
    expect(others).toEqual([])
    expect(set).toMatch(
      new RegExp(`^${cookie}=[^;]+; Path=/; Max-Age=900; SameSite=Lax; HttpOnly$`),
    )
    expect(JSON.stringify([...answer.headers])).not.toContain(secret)
  })

  it('opens what only its own end closes, which signs in (A-320, A-328, A-329)', async () => {
    const { page } = await opened(open)
    const theirs = { password: 'long enough', setupSecret: 'theirs', keyId: 'theirs-00000' }
    const answer = await page.call(close, theirs)
    expect(answer.status).toBe(200)
    const { body } = seen.get(close) ?? {}
    expect(body).toMatchObject({ setupSecret: secret, algorithm: 'ES256', platform: 'web' })
    expect(JSON.stringify(body)).not.toContain('theirs')
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])
    expect((await page.call('getAuthSession')).status).toBe(200)
  })

  it('never crosses into the other flow, by name or by value', async () => {
    const other = flows.find((each) => each.open !== open)
    if (!other) throw new Error('There are two.')
    const { page } = await opened(open)
    seen.clear()
    expect((await page.call(other.close, { password: 'long enough' })).status).toBe(401)
    page.cookies.set(other.cookie, page.cookies.get(cookie) ?? '')
    expect((await page.call(other.close, { password: 'long enough' })).status).toBe(401)
    // Neither has reached the API.
    expect([...seen.keys()]).toEqual([])
    expect(page.cookies.has('svc_session')).toBe(false)
  })

  it('is over where the cookie is: a secret in the body of a browser counts for nothing (A-320)', async () => {
    seen.clear()
    const answer = await web.browser().call(close, { password: 'long enough', setupSecret: secret })
    expect([answer.status, answer.headers.getSetCookie(), seen.size]).toEqual([401, [], 0])
  })

  it('is not opened by the session of a signed-in browser (A-320)', async () => {
    const page = web.browser()
    await page.call('login', await web.api.createUser())
    expect((await page.call('getAuthSession')).status).toBe(200)
    seen.clear()
    const answer = await page.call(close, { password: 'long enough', setupSecret: secret })
    expect([answer.status, seen.has(close)]).toEqual([401, false])
  })

  it('is still open after a password that was too weak', async () => {
    const { page } = await opened(open)
    const weak = await page.call(close, { password: 'weak' })
    expect([weak.status, weak.headers.getSetCookie()]).toEqual([400, []])
    expect((await page.call(close, { password: 'long enough' })).status).toBe(200)
  })

  it('takes its cookie away when the secret is no longer valid', async () => {
    const { page } = await opened(open)
    const content = { setupSecret: 'superseded', email: 'a@example.com', returnPath: '/' }
    const sealed = await sealer.seal(purpose, content, Date.now() + 60_000)
    page.cookies.set(cookie, sealed)
    expect((await page.call(close, { password: 'long enough' })).status).toBe(401)
    expect([...page.cookies.keys()]).toEqual([])
  })

  it('is over when a second factor is all that is missing', async () => {
    const { page } = await opened(open)
    const answer = await page.call(close, { password: 'factor' })
    expect([answer.status, await answer.text()]).toEqual([202, expect.not.stringMatching('secret')])
    expect([...page.cookies.keys()]).toEqual(['svc_mfa_pending'])
  })

  it('is over when the secret is no good any more', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { page } = await opened(open)
    vi.setSystemTime(Date.now() + 15 * 60_000)
    seen.clear()
    expect((await page.call(close, { password: 'long enough' })).status).toBe(401)
    expect(seen.size).toBe(0)
  })

  it('is no session by itself', async () => {
    const { page } = await opened(open)
    const value = page.cookies.get(cookie) ?? ''
    expect((await page.call('getAuthSession')).status).toBe(401)
    for (const name of ['svc_session', 'svc_mfa_pending']) {
      const sent = { cookie: `${name}=${value}` }
      expect((await web.browser().send('getAuthSession', undefined, sent)).status).toBe(401)
    }
  })
})

describe.each([
  { request: 'requestSignupLink', template: 'signup-link', ...flows[0] },
  { request: 'requestPasswordReset', template: 'password-reset', ...flows[1] },
] as const)('$close at the API itself', ({ request, template, open, close, cookie }) => {
  const password = 'a password chosen by mail'

  /** A browser that has opened a link and is not signed in, and one of the same user that is, without the link. */
  async function openedBeside() {
    const { api } = real
    const user = await api.createUser()
    const email = close === 'completeSignup' ? `${crypto.randomUUID()}@example.com` : user.email
    const token = await api.linkSentBy(() => api.call(request, { email }), email, template)
    const bare = real.browser()
    expect((await bare.call(open, { token })).status).toBe(200)
    const signedIn = real.browser()
    await signedIn.call('login', user)
    return { user, signedIn, bare }
  }

  it('takes the setup cookie and no session, nor asks for one beside it (A-320)', async () => {
    const { signedIn, bare } = await openedBeside()
    expect((await signedIn.call(close, { password })).status).toBe(401)
    const setupSecret = 'x'.repeat(43)
    expect((await signedIn.call(close, { password, setupSecret })).status).toBe(401)
    expect([...bare.cookies.keys()]).toEqual([cookie])
    expect((await bare.call(close, { password })).status).toBe(200)
    expect((await bare.call('getAuthSession')).status).toBe(200)
  })

  it('is opened by no signature of a device, without its secret (A-320)', async () => {
    const { user } = await openedBeside()
    const key = await real.api.signIn(user)
    for (const setupSecret of ['', 'x'.repeat(43)]) {
      const body = { setupSecret, password, ...(await createTestKey()).registration }
      expect((await real.api.call(close, body, key)).status).toBe(401)
    }
  })
})
