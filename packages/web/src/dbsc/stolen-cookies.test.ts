import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  BindingBrowser,
  challengeToRegister,
  newPair,
  publicJwk,
  signInBinding,
} from '../test-binding-browser.ts'
import { leaveNode, startTestWeb } from '../test-browser.ts'
import { stopTime } from '../test-time.ts'

beforeEach(leaveNode)
const web = await startTestWeb({ webEnv: { SVC_AUTH_DBSC: 'on' } })
afterAll(web.api.stop)

const minute = 60_000

const pass = stopTime(web)

/** An attacker who has copied these cookies, in a browser of their own. */
async function thief(cookies: ReadonlyMap<string, string>, ...names: string[]) {
  const { browser } = await signInBinding(web, { unbound: true })
  browser.page.cookies.clear()
  for (const name of names) browser.page.cookies.set(name, cookies.get(name) ?? '')
  return browser
}

const statusOf = async (browser: BindingBrowser) => (await browser.call('getAuthSession')).status

describe('an attacker who has copied the cookies of a bound session', () => {
  it('is refused at once with the session’s alone, and changes nothing for its owner', async () => {
    const { browser: owner } = await signInBinding(web)
    const other = await thief(owner.page.cookies, 'svc_session', 'svc_csrf')
    for (const name of ['getAuthSession', 'listKeys', 'rotateKey', 'logout']) {
      const answer = await other.call(name, name.endsWith('Key') ? {} : undefined)
      expect([name, answer.status, answer.headers.getSetCookie()]).toEqual([name, 401, []])
    }
    expect(await statusOf(owner)).toBe(200)
  })

  it('is refused with another session’s proof', async () => {
    const { browser: owner } = await signInBinding(web)
    const { browser: other } = await signInBinding(web)
    other.page.cookies.set('svc_session', owner.page.cookies.get('svc_session') ?? '')
    expect(await statusOf(other)).toBe(401)
  })

  it('is refused with a text that was sealed for something else', async () => {
    const { browser: owner } = await signInBinding(web)
    const other = await thief(owner.page.cookies, 'svc_session')
    const challenge = await owner.challenge()
    for (const text of [challenge, owner.page.cookies.get('svc_session') ?? '']) {
      other.page.cookies.set('svc_session_proof', text)
      expect(await statusOf(other)).toBe(401)
    }
  })

  it('has both for what is left of the proof’s life, and cannot prolong it', async () => {
    const { browser: owner } = await signInBinding(web)
    const other = await thief(owner.page.cookies, 'svc_session', 'svc_session_proof', 'svc_csrf')
    pass(4 * minute)
    expect((await other.call('rotateKey', {})).status).toBe(200)
    expect(await statusOf(other)).toBe(200)
    pass(minute)
    expect(await statusOf(other)).toBe(401)
    other.session = owner.session
    expect((await other.refresh()).status).toBe(400)
    expect(await statusOf(other)).toBe(401)
  })

  it('has a dead key, where the copy is from before the registration', async () => {
    const { browser: owner } = await signInBinding(web, { unbound: true })
    const other = await thief(owner.page.cookies, 'svc_session', 'svc_csrf')
    expect(await statusOf(other)).toBe(200)
    other.asked = owner.asked
    await owner.register()
    // It registers no key of the attacker, though the challenge was copied too.
    expect((await other.register()).status).toBe(401)
    expect([await statusOf(other), await statusOf(owner)]).toEqual([401, 200])
  })
})

describe('a refresh', () => {
  it('is refused to another key, though it shows itself', async () => {
    const { browser } = await signInBinding(web)
    const key = await newPair('ES256')
    const header = { jwk: await publicJwk(key.publicKey) }
    const challenge = await browser.challenge()
    const answer = await browser.answer(challenge, { key, header })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
    expect((await browser.answer(challenge)).status).toBe(200)
  })

  it('is refused for an algorithm that is not the key’s', async () => {
    const { browser } = await signInBinding(web)
    for (const alg of ['none', 'HS256', 'RS256']) {
      const answer = await browser.answer(await browser.challenge(), { header: { alg } })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
    }
  })

  it('is asked for again where the challenge is none, or another session’s, or of a registration', async () => {
    const { browser } = await signInBinding(web)
    const { browser: other } = await signInBinding(web)
    const { browser: unbound } = await signInBinding(web, { unbound: true })
    const others = [
      'none',
      await other.challenge(),
      unbound.asked?.challenge ?? '',
      await challengeToRegister(browser),
    ]
    for (const challenge of others) await askedAgain(browser, await browser.answer(challenge))
  })

  it('is asked for again where the challenge is five minutes old', async () => {
    const { browser } = await signInBinding(web)
    const challenge = await browser.challenge()
    pass(5 * minute)
    await askedAgain(browser, await browser.answer(challenge))
  })

  it('spends a challenge once, whichever of two instances is asked', async () => {
    const { browser } = await signInBinding(web)
    const challenge = await browser.challenge()
    const proof = await browser.proof(challenge)
    const headers = { ...browser.named, 'secure-session-response': proof }
    const other = new BindingBrowser(web, {
      env: { SVC_API_URL: (await web.api.secondInstance()).url },
    })
    for (const [name, value] of browser.page.cookies) other.page.cookies.set(name, value)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        (at % 2 === 0 ? browser : other).send(browser.refreshPath, headers),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(15)
    await askedAgain(browser, await browser.answer(challenge))
  })

  it('has the API remember what is spent for as long as it could be answered', async () => {
    const { browser } = await signInBinding(web)
    vi.setSystemTime(Math.ceil(Date.now() / 1000) * 1000)
    const challenge = await browser.challenge()
    const diesAt = Date.now() + 5 * minute
    const sent = vi.spyOn(globalThis, 'fetch')
    pass(2 * minute)
    expect((await browser.answer(challenge)).status).toBe(200)
    const { authorization } = Object.fromEntries(
      new Headers(sent.mock.lastCall?.[1]?.headers).entries(),
    )
    sent.mockRestore()
    const claims = JSON.parse(
      Buffer.from(authorization?.split('.')[1] ?? '', 'base64url').toString(),
    )
    expect(claims.exp * 1000).toBe(diesAt)
  })

  it('ends what the browser watches, where it is another session than the cookie’s', async () => {
    const { browser } = await signInBinding(web)
    const { browser: other } = await signInBinding(web)
    const challenge = await browser.challenge()
    const proof = await browser.proof(challenge)
    const answer = await browser.send(browser.refreshPath, {
      ...other.named,
      'secure-session-response': proof,
    })
    expect(await answer.json()).toMatchObject({ continue: false })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it('is refused without the header that pages cannot send', async () => {
    const { browser } = await signInBinding(web)
    expect((await browser.send(browser.refreshPath)).status).toBe(400)
  })

  it('ends the session whose key was revoked: it can no longer be proved', async () => {
    const { user, browser } = await signInBinding(web)
    const { keyId } = await (await browser.call('getAuthSession')).json()
    await web.api.call('revokeKey', { keyId }, await web.api.signIn(user))
    const ended = await browser.refresh()
    expect([ended.status, await ended.json()]).toEqual([
      200,
      { session_identifier: browser.session['session_identifier'], continue: false },
    ])
    expect([...browser.page.cookies.keys()]).toEqual(['svc_known'])
  })
})

/** 403, no proof, and a challenge that the browser can answer. */
async function askedAgain(browser: BindingBrowser, answer: Response) {
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  const header = answer.headers.get('secure-session-challenge') ?? ''
  expect((await browser.answer(header.split('"')[1] ?? '')).status).toBe(200)
}

describe('another site', () => {
  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://sub.web.test' },
    { origin: 'null' },
  ])('neither registers nor refreshes: %o', async (headers) => {
    const { browser } = await signInBinding(web, { unbound: true })
    const forged = await browser.register(headers)
    expect([forged.status, forged.headers.getSetCookie()]).toEqual([403, []])
    await browser.register()
    const asked = await browser.send(browser.refreshPath, { ...browser.named, ...headers })
    expect([asked.status, asked.headers.has('secure-session-challenge')]).toEqual([403, false])
    const proof = await browser.proof(await browser.challenge())
    const answer = await browser.send(browser.refreshPath, {
      ...browser.named,
      'secure-session-response': proof,
      ...headers,
    })
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
  })

  it.each(['http://web.test', 'https://web.test', 'https://app.example.com'])(
    'is not %s',
    async (origin) => {
      const env = { SVC_APP_URL: 'https://app.example.com' }
      const { browser } = await signInBinding(web, { env, unbound: true })
      const headers = { origin, 'sec-fetch-site': 'same-origin' }
      expect((await browser.register(headers)).status).toBe(200)
    },
  )
})
