import { createTestKey } from '@svc/auth/testing'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { leaveNode, startTestWeb, testSecret } from '../test-browser.ts'

beforeEach(leaveNode)
const web = await startTestWeb()
afterAll(web.api.stop)
afterEach(() => vi.restoreAllMocks())

const week = 7 * 24 * 3600

/** A `Set-Cookie` in parts: the name, whether there is a value, and the attributes as they stand. */
function cookiesOf(answer: Response) {
  return answer.headers.getSetCookie().map((cookie) => {
    const [pair = '', ...attributes] = cookie.split('; ')
    const [name, value] = pair.split('=')
    return [name, value === '' ? 'cleared' : 'set', attributes.join('; ')]
  })
}

const both = [
  ['svc_session', 'set', `Path=/; Max-Age=${week}; SameSite=Lax; HttpOnly`],
  ['svc_csrf', 'set', `Path=/; Max-Age=${week}; SameSite=Lax`],
]
const known = ['svc_known', 'set', `Path=/; Max-Age=${365 * 86_400}; SameSite=Lax; HttpOnly`]
const neither = [
  ['svc_session', 'cleared', 'Path=/; Max-Age=0; SameSite=Lax; HttpOnly'],
  ['svc_csrf', 'cleared', 'Path=/; Max-Age=0; SameSite=Lax'],
]

async function signedIn(headers: Record<string, string> = {}) {
  const user = await web.api.createUser()
  const page = web.browser()
  const answer = await page.call('login', user, headers)
  return { user, page, answer }
}

describe('cookies', () => {
  it('come with login: the session’s for the proxy alone, the token’s for the page (A-326, A-334)', async () => {
    const { answer } = await signedIn()
    expect(answer.status).toBe(200)
    expect(cookiesOf(answer)).toEqual([...both, known])
  })

  it('come with register (A-328)', async () => {
    const email = 'first@example.com'
    const verificationToken = await web.api.verificationToken(email, 'registration')
    const page = web.browser()
    const body = { email, verificationToken, password: 'correct horse battery staple' }
    const answer = await page.call('register', body)
    expect([answer.status, cookiesOf(answer)]).toEqual([200, [...both, known]])
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({ email })
  })

  it('come with rotateKey, which needs nothing from the browser', async () => {
    const { user, page } = await signedIn()
    const before = page.cookies.get('svc_session')
    const answer = await page.call('rotateKey', {})
    expect([answer.status, cookiesOf(answer)]).toEqual([200, both])
    expect(page.cookies.get('svc_session')).not.toBe(before)
    expect((await page.call('getAuthSession')).status).toBe(200)
    const keys = await web.api.keysOf(user.userId)
    expect(keys.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1)
  })

  it('go with logout', async () => {
    const { page } = await signedIn()
    const answer = await page.call('logout')
    expect([answer.status, cookiesOf(answer)]).toEqual([204, neither])
  })

  it('go with the revocation of their own key, and of no other', async () => {
    const { user, page } = await signedIn()
    const other = await web.api.signIn(user)
    const revoked = await page.call('revokeKey', { keyId: other.keyId })
    expect([revoked.status, cookiesOf(revoked)]).toEqual([200, []])
    const { keyId } = await (await page.call('getAuthSession')).json()
    const answer = await page.call('revokeKey', { keyId })
    expect([answer.status, cookiesOf(answer)]).toEqual([200, neither])
  })

  it('go with revokeAllKeys where it includes their own', async () => {
    const { page } = await signedIn()
    expect(cookiesOf(await page.call('revokeAllKeys', {}))).toEqual([])
    const answer = await page.call('revokeAllKeys', { includeCurrent: true })
    expect([answer.status, cookiesOf(answer)]).toEqual([200, neither])
  })

  it('are this host’s alone over https, but for the token’s (A-334)', async () => {
    const https = { SVC_AUTH_COOKIE_SECURE: 'on' }
    const page = web.browser(https)
    const answer = await page.call('login', await web.api.createUser())
    expect(cookiesOf(answer)).toEqual([
      ['__Host-svc_session', 'set', `Path=/; Max-Age=${week}; SameSite=Lax; HttpOnly; Secure`],
      ['svc_csrf', 'set', `Path=/; Max-Age=${week}; SameSite=Lax; Secure`],
      ['__Host-svc_known', 'set', `${known[2]}; Secure`],
    ])
    expect((await page.call('getAuthSession')).status).toBe(200)
    // Another host of the domain may plant the plain name.
    const cookie = page.cookieHeader().replace('__Host-', '')
    expect((await web.browser(https).send('getAuthSession', undefined, { cookie })).status).toBe(
      401,
    )
  })

  it('that a browser would drop for their size are not made: it fails loudly', async () => {
    const userId = 'u'.repeat(4096)
    const send = fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
      const { url } = new Request(request, init)
      const huge = Response.json({ mfaRequired: false, userId })
      return url.endsWith('/login') ? Promise.resolve(huge) : send(request, init)
    })
    await expect(signedIn()).rejects.toThrow(
      /^A cookie of \d+ bytes would be dropped by browsers\.$/,
    )
  })

  it('do not come with a refusal', async () => {
    const user = await web.api.createUser()
    const answer = await web.browser().call('login', { ...user, password: 'wrong' })
    expect([answer.status, cookiesOf(answer)]).toEqual([401, []])
  })
})

describe('the key', () => {
  it('is the proxy’s own and another each time, even if the browser sends one (A-328)', async () => {
    const user = await web.api.createUser()
    const key = await createTestKey()
    const theirs = { ...key.registration, platform: 'ios', privateKey: 'x' }
    for (const page of [web.browser(), web.browser()]) {
      expect((await page.call('login', { ...user, ...theirs })).status).toBe(200)
      expect((await page.call('rotateKey', theirs)).status).toBe(200)
      expect((await page.call('getAuthSession')).status).toBe(200)
    }
    const keys = await web.api.keysOf(user.userId)
    expect(new Set(keys.map(({ keyId }) => keyId)).size).toBe(4)
    expect(keys.map(({ platform }) => platform)).toEqual(['web', 'web', 'web', 'web'])
    expect(keys.filter(({ keyId }) => !/^dk_[0-9a-f]{32}$/.test(keyId))).toEqual([])
  })

  it('is named after the browser, unless the user has named the device', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'
    const { page } = await signedIn({ 'user-agent': agent })
    const { keys } = await (await page.call('listKeys', {})).json()
    expect(keys[0]).toMatchObject({ deviceName: 'Firefox on Linux', platform: 'web' })

    const user = await web.api.createUser()
    const named = web.browser()
    await named.call('login', { ...user, deviceName: 'Kitchen' }, { 'user-agent': agent })
    const list = await (await named.call('listKeys', {})).json()
    expect(list.keys[0]).toMatchObject({ deviceName: 'Kitchen' })
  })

  it('of a session that a sign-in replaces is revoked', async () => {
    const { user, page } = await signedIn()
    const { keyId } = await (await page.call('getAuthSession')).json()
    expect((await page.call('login', await web.api.createUser())).status).toBe(200)
    const [key] = await web.api.keysOf(user.userId)
    expect(key).toMatchObject({ keyId, revokedAt: expect.any(Date) })
  })

  it('of a session that is replaced does not stop a sign-in where it cannot be revoked', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { page } = await signedIn()
    const send = fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
      const { url } = new Request(request, init)
      return url.endsWith('/logout') ? Promise.reject(new Error('down')) : send(request, init)
    })
    const answer = await page.call('login', await web.api.createUser())
    expect([answer.status, cookiesOf(answer)]).toEqual([200, [...both, known]])
    expect(logged).toHaveBeenCalled()
    expect(JSON.stringify(logged.mock.calls)).not.toContain(testSecret)
  })
})
