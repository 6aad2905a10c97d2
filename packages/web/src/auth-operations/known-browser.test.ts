import { createTestKey } from '@svc/auth/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { Sealer } from '../session/sealer.ts'
import { startTestWeb, type TestBrowser, testSecret } from '../test-browser.ts'

const secret = 'web:Zt7Qm2Lx9Vb4Rk8Nc1Ws6Yh3Jd5Gf0PaUe'
const web = await startTestWeb({
  env: { SVC_RATE_LIMIT: 'on', SVC_PROXY_SECRET: secret },
  webEnv: { SVC_PROXY_SECRET: secret, SVC_TRUSTED_PROXY_HOPS: '1' },
})
afterAll(web.api.stop)

const at = (address: string) => ({ 'x-forwarded-for': address })

describe('a browser that has signed in to an account', () => {
  it('signs in again while a stranger at another address guesses its password (decisions 16)', async () => {
    const user = await web.api.createUser()
    const { email } = user
    const page = web.browser()
    expect((await page.call('login', user, at('192.0.2.1'))).status).toBe(200)
    expect((await page.call('logout', undefined, at('192.0.2.1'))).status).toBe(204)
    const stranger = web.browser()
    const guess = () => stranger.call('login', { email, password: 'a guess' }, at('203.0.113.9'))
    const guesses = []
    for (let count = 0; count < 12; count += 1) guesses.push((await guess()).status)

    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect((await page.call('login', user, at('192.0.2.1'))).status).toBe(200)
    await page.call('logout', undefined, at('192.0.2.1'))
    // Also while strangers at many addresses guess.
    await shutStrangersOut(user)
    expect((await stranger.call('login', user, at('203.0.113.10'))).status).toBe(429)
    expect((await page.call('login', user, at('192.0.2.1'))).status).toBe(200)
  })

  it('may be one that has registered (decisions 16)', async () => {
    const page = web.browser()
    const email = 'known-by-register@example.com'
    const verificationToken = await web.api.verificationToken(email, 'registration')
    const body = { email, verificationToken, password: 'correct horse battery staple' }
    const answer = await page.call('register', body)
    expect(await answer.json()).toEqual({
      userId: expect.any(String),
      publicId: expect.any(String),
      email,
    })
    expect(page.cookies.has('svc_known')).toBe(true)
  })
})

describe('a browser that is signed in', () => {
  it('proves itself again with the code that it has asked for as a known one', async () => {
    const user = await web.api.createUser()
    const { email } = user
    const page = web.browser()
    await page.call('login', user)
    const asked = { target: email, targetType: 'email', purpose: 'login' }
    const ask = () => page.call('sendVerificationCode', asked)
    const { text } = await web.api.sentBy(ask, email, 'verification-code')
    const code = /\b\d{6}\b/.exec(text)?.[0]
    expect((await page.call('proveRecent', { code })).status).toBe(204)
  })
})

describe('svc_known', () => {
  it('is HttpOnly, Lax and good for a year, stays when the session goes, and no answer shows what is in it', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    const answer = await page.call('login', user)
    const set = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('svc_known='))
    const year = 365 * 86_400
    expect(set).toMatch(
      new RegExp(`^svc_known=[^;]+; Path=/; Max-Age=${year}; SameSite=Lax; HttpOnly$`),
    )
    expect(await answer.json()).not.toHaveProperty('knownBrowser')
    await page.call('logout')
    expect(page.cookies.has('svc_known')).toBe(true)
    expect(page.cookies.has('svc_session')).toBe(false)
  })

  it('is this host’s alone over https', async () => {
    const page = web.browser({ SVC_AUTH_COOKIE_SECURE: 'on' })
    await page.call('login', await web.api.createUser())
    expect(page.cookies.has('__Host-svc_known')).toBe(true)
  })

  it('keeps five accounts, and forgets the one that has not signed in for longest', async () => {
    const page = web.browser()
    const users = []
    for (let count = 0; count < 6; count += 1) {
      const user = await web.api.createUser()
      users.push(user)
      await page.call('login', user)
      await page.call('logout')
    }
    const held = await new Sealer(testSecret).open(
      'known browser',
      page.cookies.get('svc_known') as string,
      Date.now(),
    )
    expect(held?.content.map(({ userId }) => userId)).toEqual(
      users
        .slice(1)
        .map(({ userId }) => userId)
        .toReversed(),
    )
    expect(page.cookies.get('svc_known')?.length).toBeLessThan(2000)
    const [oldest, ...kept] = users
    expect(await isKnownIn(page, oldest as User)).toBe(false)
    for (const user of kept) expect(await isKnownIn(page, user)).toBe(true)
  })

  it('with a token that the web app’s own secret has made is a stranger’s', async () => {
    const user = await web.api.createUser()
    const page = web.browser()
    await page.call('login', user)
    await page.call('logout')
    const sealer = new Sealer(testSecret)
    const text = page.cookies.get('svc_known') as string
    const held = await sealer.open('known browser', text, Date.now())
    const [userId, knownId, endsAt] = held?.content[0]?.token.split('.') ?? []
    const claims = new TextEncoder().encode(`${userId}.${knownId}.${endsAt}`)
    const mac = await crypto.subtle.sign('HMAC', await sealer.macKey('known browsers'), claims)
    const token = `${userId}.${knownId}.${endsAt}.${Buffer.from(mac).toString('base64url')}`
    const forger = web.browser()
    const content = [{ userId: user.userId, token }]
    forger.cookies.set(
      'svc_known',
      await sealer.seal('known browser', content, Date.now() + 60_000),
    )
    expect(await isKnownIn(forger, user)).toBe(false)
    expect(await isKnownIn(page, user)).toBe(true)
  })

  it('is not taken from a header that a page sends', async () => {
    const user = await web.api.createUser()
    const { body } = await web.api.call('login', {
      ...user,
      ...(await createTestKey()).registration,
    })
    await shutStrangersOut(user)
    const input = {
      body: { email: user.email, password: user.password },
      headers: { 'x-svc-known-browser': body.knownBrowser },
    }
    const answer = await web.proxy.POST(
      new Request('http://web.test/api/rpc/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-svc-known-browser': body.knownBrowser },
        body: JSON.stringify(input),
      }),
    )
    expect(answer.status).toBe(429)
  })
})

interface User {
  email: string
  password: string
}

/** Uses up the limits of strangers for the account, from all addresses. */
async function shutStrangersOut({ email }: User) {
  const { limits } = web.api.auth
  const take = () => limits.take('logins in an hour by account', email).catch(() => {})
  await Promise.all(Array.from({ length: 100 }, take))
}

async function isKnownIn(page: TestBrowser, user: User) {
  await shutStrangersOut(user)
  const answer = await page.call('login', { ...user, password: 'not it' }, at('192.0.2.200'))
  return answer.status === 401
}
