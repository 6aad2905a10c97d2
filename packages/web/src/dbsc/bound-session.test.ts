import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBoundSessionHandler } from '../bound-session.ts'
import { BindingBrowser, signInBinding } from '../test-binding-browser.ts'
import { leaveNode, startTestWeb } from '../test-browser.ts'
import { testOperations } from '../test-operations.ts'
import { stopTime } from '../test-time.ts'
import { sharedWebAuth } from '../web-auth.ts'

const { router, routeMap } = testOperations({
  setSessionBinding: ({ body: { mode } }) => ({ body: { mode } }),
  sessionRenewVerify: async ({ body: { email, password, ...key } }) => {
    const { body } = await web.api.call('login', { ...key, email, password })
    return { body: { ...body, keyId: key.keyId } }
  },
})
beforeEach(leaveNode)
const web = await startTestWeb({ router, routeMap, webEnv: { SVC_AUTH_DBSC: 'on' } })
afterAll(web.api.stop)

const minute = 60_000
const day = 24 * 60 * minute

const letPass = stopTime(web)

/** Lets time pass, for the cookie that lives for minutes too. */
function pass(millis: number, browser?: BindingBrowser) {
  letPass(millis)
  if (millis >= 5 * minute) browser?.page.cookies.delete('svc_session_proof')
}

const statusOf = async (browser: BindingBrowser) => (await browser.call('getAuthSession')).status

describe.each(['ES256', 'RS256'] as const)('a browser that keeps a key for %s', (algorithm) => {
  it('is asked for it as it signs in, proves it every few minutes, and stays signed in', async () => {
    const { user, browser } = await signInBinding(web, { algorithm, unbound: true })
    expect(browser.asked).toMatchObject({
      algorithms: 'ES256 RS256',
      path: '/api/session/register',
    })
    const registered = await browser.register()
    expect(await registered.json()).toEqual({
      session_identifier: expect.stringMatching(/^[\w-]{22}$/),
      refresh_url: '/api/session/refresh',
      scope: { include_site: false },
      credentials: [
        {
          type: 'cookie',
          name: 'svc_session_proof',
          attributes: 'Path=/; SameSite=Lax; HttpOnly',
        },
      ],
    })
    // A browser takes one for an error.
    expect(registered.headers.has('secure-session-challenge')).toBe(false)
    for (let times = 0; times < 3; times++) {
      expect(await statusOf(browser)).toBe(200)
      const before = browser.page.cookies.get('svc_session_proof')
      pass(5 * minute, browser)
      expect(await statusOf(browser)).toBe(401)
      const answer = await browser.refresh()
      expect([answer.status, await answer.json()]).toEqual([200, browser.session])
      expect(browser.page.cookies.get('svc_session_proof')).not.toBe(before)
    }
    expect(await (await browser.call('getAuthSession')).json()).toMatchObject({ email: user.email })
  })
})

describe('a bound session', () => {
  it('has one key among the account’s devices, and a token that fits it', async () => {
    const { browser } = await signInBinding(web)
    const { keys } = await (await browser.call('listKeys', {})).json()
    expect(keys).toHaveLength(1)
    expect(browser.asked).toBeNull()
  })

  it('can answer a challenge that came with the last proof', async () => {
    const { browser } = await signInBinding(web)
    const next = (await browser.refresh()).headers.get('secure-session-challenge') ?? ''
    pass(minute)
    expect((await browser.answer(next.split('"')[1] ?? '')).status).toBe(200)
  })

  it('keeps its cookies, and the browser its session, while the proof is missing', async () => {
    const { browser } = await signInBinding(web)
    browser.page.cookies.delete('svc_session_proof')
    const answer = await browser.call('getAuthSession')
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []])
    expect((await browser.refresh()).status).toBe(200)
    expect(await statusOf(browser)).toBe(200)
  })

  it('stays bound to the same key when the account’s is rotated, and needs no new proof', async () => {
    const { browser } = await signInBinding(web)
    const before = browser.page.cookies.get('svc_session_proof')
    const rotated = await browser.call('rotateKey', {})
    expect([rotated.status, browser.asked]).toEqual([200, null])
    expect(rotated.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
      'svc_session',
      'svc_csrf',
    ])
    expect(browser.page.cookies.get('svc_session_proof')).toBe(before)
    await staysBound(browser)
  })

  it('stays bound when its cookie is renewed', async () => {
    const { browser } = await signInBinding(web)
    const before = browser.page.cookies.get('svc_session')
    pass(6 * day, browser)
    await browser.refresh()
    expect(await statusOf(browser)).toBe(200)
    expect(browser.page.cookies.get('svc_session')).not.toBe(before)
    await staysBound(browser)
  })

  it('stays bound when a key that a passkey vouches for is renewed', async () => {
    const { user, browser } = await signInBinding(web)
    expect((await browser.call('sessionRenewVerify', user)).status).toBe(200)
    expect(browser.asked).toBeNull()
    await staysBound(browser)
  })

  it('is proved when a key that a passkey vouches for has run out, and is over for any other', async () => {
    const { browser: bound } = await signInBinding(web)
    await bound.call('setSessionBinding', { mode: 'passkey' })
    const { browser: other } = await signInBinding(web)
    const challenges = [await bound.challenge(), await other.challenge()] as const
    web.api.clock.advance('91d')
    const proven = await bound.answer(challenges[0])
    expect([proven.status, await proven.json()]).toEqual([200, bound.session])
    expect(await (await other.answer(challenges[1])).json()).toMatchObject({ continue: false })
    expect([...other.page.cookies.keys()]).toEqual(['svc_known'])
  })

  it('is not ended for a key that another call is replacing', async () => {
    for (const [name, value] of Object.entries(web.env)) vi.stubEnv(name, value)
    const { browser } = await signInBinding(web)
    const { keyId } = await (await browser.call('getAuthSession')).json()
    const [challenge, cookie] = [await browser.challenge(), browser.page.cookieHeader()]
    const proof = await browser.proof(challenge)
    await browser.call('rotateKey', {})
    // The handler and the proxy of one process know of each other what is being replaced.
    sharedWebAuth().retired.add(keyId)
    const headers = { ...browser.named, cookie, 'secure-session-response': proof }
    const url = `http://web.test${browser.refreshPath}`
    const answer = await createBoundSessionHandler().POST(
      new Request(url, { method: 'POST', headers }),
    )
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([503, []])
    vi.unstubAllEnvs()
  })

  it('is over with a sign-out: three cookies go, and the browser forgets it when it asks', async () => {
    const { browser } = await signInBinding(web)
    expect((await browser.call('logout')).status).toBe(204)
    expect([...browser.page.cookies.keys()]).toEqual(['svc_known'])
    const ended = await browser.send(browser.refreshPath, browser.named)
    expect([ended.status, await ended.json()]).toEqual([
      200,
      { session_identifier: browser.session['session_identifier'], continue: false },
    ])
  })

  it('gives way to the session of the next user, and leaves it alone', async () => {
    const { browser } = await signInBinding(web)
    const old = browser.session
    await browser.call('logout')
    await browser.call('login', await web.api.createUser())
    await browser.register()
    const current = browser.session
    browser.session = old
    const ended = await browser.send(browser.refreshPath, browser.named)
    expect(await ended.json()).toMatchObject({ continue: false })
    expect(ended.headers.getSetCookie()).toEqual([])
    browser.session = current
    expect([await statusOf(browser), (await browser.refresh()).status]).toEqual([200, 200])
  })

  it('gets another challenge where the API cannot say whether the last one was spent (decisions 16)', async () => {
    const { browser } = await signInBinding(web)
    const mintedAt = Math.floor(Date.now() / 1000)
    const challenge = await browser.challenge()
    letPass(minute)
    const issuedAt: number[] = []
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      const payload = new Headers(init?.headers).get('authorization')?.split('.')[1] ?? ''
      issuedAt.push(JSON.parse(Buffer.from(payload, 'base64url').toString()).iat)
      return Response.json({}, { status: 503, headers: { 'retry-after': '0' } })
    })
    const lost = await browser.answer(challenge)
    expect([lost.status, lost.headers.getSetCookie()]).toEqual([403, []])
    // Signed at the time of the challenge, also the second time: an API that has forgotten it must refuse it.
    expect(issuedAt).toEqual([mintedAt, mintedAt])
    asked.mockRestore()
    expect((await browser.refresh()).status).toBe(200)
  })

  it('goes on while the API is down: the browser comes again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { browser } = await signInBinding(web)
    const challenge = await browser.challenge()
    vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new Error('down'))
    const down = await browser.answer(challenge)
    expect([down.status, down.headers.getSetCookie()]).toEqual([503, []])
    vi.restoreAllMocks()
    expect((await browser.answer(challenge)).status).toBe(200)
  })
})

/** Without a proof the session is not accepted, and the browser’s own key gets one. */
async function staysBound(browser: BindingBrowser) {
  expect(await statusOf(browser)).toBe(200)
  browser.page.cookies.delete('svc_session_proof')
  expect(await statusOf(browser)).toBe(401)
  expect((await browser.refresh()).status).toBe(200)
  expect(await statusOf(browser)).toBe(200)
}

describe('over https', () => {
  it('the proof is this host’s alone, and the browser watches it under its full name', async () => {
    const { browser } = await signInBinding(web, { env: { SVC_AUTH_COOKIE_SECURE: 'on' } })
    expect(browser.session['credentials']).toEqual([
      {
        type: 'cookie',
        name: '__Host-svc_session_proof',
        attributes: 'Path=/; SameSite=Lax; HttpOnly; Secure',
      },
    ])
    expect(browser.page.cookies.has('__Host-svc_session_proof')).toBe(true)
    expect(await statusOf(browser)).toBe(200)
  })
})

describe('a session that is bound to no browser', () => {
  it('goes on as it is where the browser ignores the header', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    pass(day)
    expect(await statusOf(browser)).toBe(200)
    expect(browser.page.cookies.has('svc_session_proof')).toBe(false)
  })

  it('is asked for a key when its cookie is renewed, such as one from before', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    browser.asked = null
    pass(day)
    expect([await statusOf(browser), browser.asked]).toEqual([200, null])
    pass(5 * day)
    expect(await statusOf(browser)).toBe(200)
    expect((await browser.register()).status).toBe(200)
    await staysBound(browser)
  })

  it('is asked for none while the variable is off, which it is unless it is set', async () => {
    for (const SVC_AUTH_DBSC of ['off', '']) {
      const env = { SVC_AUTH_DBSC }
      const { signIn } = await signInBinding(web, { env, unbound: true })
      expect(signIn.headers.has('secure-session-registration')).toBe(false)
    }
    const on = await signInBinding(web, { unbound: true })
    const off = new BindingBrowser(web, { env: { SVC_AUTH_DBSC: 'off' } })
    for (const [name, value] of on.browser.page.cookies) off.page.cookies.set(name, value)
    off.asked = on.browser.asked
    expect((await off.register()).status).toBe(404)
  })
})

it('turning the variable off frees no session that is bound, and locks no user out', async () => {
  const { browser } = await signInBinding(web)
  const env = { SVC_AUTH_DBSC: 'off' }
  const off = new BindingBrowser(web, { env })
  for (const [name, value] of browser.page.cookies) off.page.cookies.set(name, value)
  off.session = browser.session
  expect(await statusOf(off)).toBe(200)
  off.page.cookies.delete('svc_session_proof')
  expect(await statusOf(off)).toBe(401)
  const challenge = await off.challenge()
  const proof = await browser.proof(challenge)
  const answer = await off.send(off.refreshPath, {
    ...off.named,
    'secure-session-response': proof,
  })
  expect([answer.status, await statusOf(off)]).toEqual([200, 200])
})
