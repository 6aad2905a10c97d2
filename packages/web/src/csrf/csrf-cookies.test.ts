import { createHmac, hkdfSync } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configureAuth } from '../proxy.ts'
import { testSecret } from '../test-browser.ts'
import { requestOf, type Sent, startItemsWeb } from '../test-items.ts'

const web = await startItemsWeb()
const { api, proxy, proxyWith } = web
afterAll(api.stop)

beforeEach(() => api.clock.set(new Date()))
afterEach(() => configureAuth({ sessionTtl: '7d' }))

type Page = Awaited<ReturnType<typeof web.signedIn>>

/** The token as the specification makes it, by Node's own cryptography. */
function expectedToken(keyId: string, secret = testSecret) {
  const subkey = hkdfSync('sha256', secret, '', 'svc web csrf', 32)
  return createHmac('sha256', new Uint8Array(subkey)).update(keyId).digest('hex')
}

const keyIdOf = async (page: Page) => (await (await page.call('getAuthSession')).json()).keyId

const csrfCookies = (answer: Response) =>
  answer.headers.getSetCookie().filter((cookie) => cookie.startsWith('svc_csrf='))
const cookieOf = (token: string, seconds = 604_800) =>
  `svc_csrf=${token}; Path=/; Max-Age=${seconds}; SameSite=Lax`

describe('svc_csrf', () => {
  it('comes with a sign-in, is readable, and is an HMAC of the key id under a subkey (A-334, A-335)', async () => {
    const { email, password } = await api.createUser()
    const page = web.browser()
    const answer = await page.call('login', { email, password })
    const token = expectedToken(await keyIdOf(page))
    expect(csrfCookies(answer)).toEqual([cookieOf(token)])
    expect(token).toMatch(/^[0-9a-f]{64}$/)
  })

  it('comes with a registration (A-334)', async () => {
    const email = 'new@example.com'
    const verificationToken = await api.verificationToken(email, 'registration')
    const page = web.browser()
    const answer = await page.call('register', {
      email,
      password: 'correct horse battery staple',
      verificationToken,
    })
    expect(answer.status).toBe(200)
    expect(csrfCookies(answer)).toEqual([cookieOf(expectedToken(await keyIdOf(page)))])
  })

  it('is another one after a key rotation, for the new key (A-334)', async () => {
    const page = await web.signedIn()
    const before = page.cookies.get('svc_csrf')
    const answer = await page.call('rotateKey')
    const token = expectedToken(await keyIdOf(page))
    expect(token).not.toBe(before)
    expect(csrfCookies(answer)).toEqual([cookieOf(token)])
  })

  it('is another one when another user signs in, for their key (A-334)', async () => {
    const page = await web.signedIn()
    const { email, password } = await api.createUser()
    const answer = await page.call('login', { email, password })
    expect(csrfCookies(answer)).toEqual([cookieOf(expectedToken(await keyIdOf(page)))])
  })

  it('comes with a session that is prolonged, for as long (A-334)', async () => {
    const page = await web.signedIn()
    const token = expectedToken(await keyIdOf(page))
    expect(csrfCookies(await page.call('getItem'))).toEqual([])
    // Of so long a life, less than a quarter remains.
    configureAuth({ sessionTtl: '30d' })
    const answer = await page.call('getItem')
    expect(answer.headers.getSetCookie()[0]).toContain('svc_session=')
    expect(csrfCookies(answer)).toEqual([cookieOf(token, 30 * 86_400)])
  })

  it('comes with the first answer to a session that is older than it (A-334, A-345)', async () => {
    const page = await web.signedIn()
    const token = page.cookies.get('svc_csrf') ?? ''
    page.cookies.delete('svc_csrf')
    expect(csrfCookies(await page.call('getItem'))).toEqual([cookieOf(token)])
    expect(csrfCookies(await page.call('getItem'))).toEqual([])
    expect((await page.call('postItem')).status).toBe(200)
  })

  it('goes with the session (A-334)', async () => {
    const page = await web.signedIn()
    expect(csrfCookies(await page.call('logout'))).toEqual([cookieOf('', 0)])
  })

  it('is for TLS alone where cookies are, and still readable (A-334)', async () => {
    const { email, password } = await api.createUser()
    const secure = proxyWith({ SVC_AUTH_COOKIE_SECURE: 'on' })
    const answer = await secure.POST(requestOf('login', { input: { body: { email, password } } }))
    expect(csrfCookies(answer)).toEqual([expect.stringMatching(/^svc_csrf=[^;]+; .*; Secure$/)])
    expect(csrfCookies(answer)[0]).not.toContain('HttpOnly')
  })

  it('is under the secret of now, once the session is one of a secret before it (A-335, A-345)', async () => {
    const page = await web.signedIn()
    const keyId = await keyIdOf(page)
    const now = 'pW7Rz_3nTq9Yv-Lk1Xs5Bg8Hd2Mc6Jf4Uo0Ae'
    const rotated = proxyWith({
      SVC_AUTH_SESSION_SECRET: now,
      SVC_AUTH_SESSION_SECRET_PREVIOUS: testSecret,
    })
    const answer = await rotated.GET(
      requestOf('getItem', { wire: 'GET', cookies: Object.fromEntries(page.cookies) }),
    )
    expect(answer.status).toBe(200)
    expect(csrfCookies(answer)).toEqual([cookieOf(expectedToken(keyId, now))])
  })
})

describe('an answer to a signed-in user', async () => {
  const user = await api.createUser()
  const page = await web.signedIn(user)
  const right = page.cookies.get('svc_csrf') ?? ''
  const other = (await web.signedIn()).cookies.get('svc_csrf') ?? ''
  const asked = (name: string, csrf: string | undefined, sent: Sent = {}) => {
    const cookies = { svc_session: page.cookies.get('svc_session'), svc_csrf: csrf }
    return proxy.POST(requestOf(name, { headers: { 'x-svc-csrf': right }, ...sent, cookies }))
  }

  const answers: [string, Sent, number][] = [
    ['getItem', {}, 200],
    ['getItem', { wire: 'GET' }, 200],
    ['postItem', {}, 200],
    ['postItem', { headers: {} }, 403],
    ['missing', {}, 404],
    ['listRoles', {}, 403],
    ['updateLocale', { input: { body: { locale: 7 } } }, 400],
    ['login', { input: { body: { email: user.email, password: 'wrong' } } }, 401],
  ]

  it.each(answers)('to %s %o, a %i, puts the cookie right (A-345)', async (name, sent, status) => {
    const states = [
      undefined,
      '',
      'x',
      other,
      right.toUpperCase(),
      `${right}0`,
      `${other}; svc_csrf=${right}`,
    ]
    for (const csrf of states) {
      const answer = await asked(name, csrf, sent)
      expect([csrf, answer.status, csrfCookies(answer)]).toEqual([csrf, status, [cookieOf(right)]])
    }
  })

  it.each(answers.filter(([, { headers }]) => !headers))(
    'to %s %o, a %i, leaves a right cookie alone (A-345)',
    async (name, sent) => {
      const answer = await asked(name, right, sent)
      expect(answer.headers.getSetCookie()).toEqual([])
    },
  )

  it('takes no similarly named cookie for it (A-345)', async () => {
    for (const name of ['xsvc_csrf', 'svc_csrf2', 'SVC_CSRF', '__Host-svc_csrf']) {
      const cookies = { svc_session: page.cookies.get('svc_session'), [name]: right }
      const answer = await proxy.POST(requestOf('getItem', { cookies }))
      expect(csrfCookies(answer)).toEqual([cookieOf(right)])
    }
  })
})
