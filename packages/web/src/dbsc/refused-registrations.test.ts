import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import {
  type BindingBrowser,
  challengeToRegister,
  newPair,
  publicJwk,
  signInBinding,
} from '../test-binding-browser.ts'
import { startTestWeb } from '../test-browser.ts'
import { stopTime } from '../test-time.ts'

const web = await startTestWeb({ webEnv: { SVC_AUTH_DBSC: 'on' } })
afterAll(web.api.stop)

const minute = 60_000

const pass = stopTime(web)

const statusOf = async (browser: BindingBrowser) => (await browser.call('getAuthSession')).status

describe('a registration is refused', () => {
  const refused = async (answer: Promise<Response>, browser: BindingBrowser) => {
    const { status, headers } = await answer
    expect([status, headers.getSetCookie()]).toEqual([400, []])
    expect(browser.session).toEqual({})
    expect(await statusOf(browser)).toBe(200)
  }

  it('with another key, once one is registered', async () => {
    const { browser } = await signInBinding(web)
    const { browser: unbound } = await signInBinding(web, { unbound: true })
    const { path = '', challenge = '' } = unbound.asked ?? {}
    const key = await newPair('ES256')
    const header = { jwk: await publicJwk(key.publicKey) }
    for (const text of [challenge, await browser.challenge(), await challengeToRegister(browser)]) {
      const proof = await browser.proof(text, { key, header })
      const answer = await browser.send(path, { 'secure-session-response': proof })
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []])
    }
    expect((await browser.refresh()).status).toBe(200)
  })

  it('for a challenge that is none, or another session’s, or a refresh’s, or five minutes old', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    const own = browser.asked
    const { browser: other } = await signInBinding(web, { unbound: true })
    const { browser: bound } = await signInBinding(web)
    const others = ['', 'none', other.asked?.challenge ?? '', await bound.challenge()]
    for (const challenge of others) {
      browser.asked = own && { ...own, challenge }
      await refused(browser.register(), browser)
    }
    browser.asked = own
    pass(5 * minute)
    await refused(browser.register(), browser)
  })

  it('for a challenge that has been answered', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    const [cookies, { asked }] = [new Map(browser.page.cookies), browser]
    await browser.register()
    browser.asked = asked
    for (const [name, value] of cookies) browser.page.cookies.set(name, value)
    const again = await browser.register()
    expect([again.status, again.headers.getSetCookie()]).toEqual([401, []])
  })

  it('for all but one of sixteen at once', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    const answers = await Promise.all(Array.from({ length: 16 }, () => browser.register()))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    const { keys } = await (await browser.call('listKeys', {})).json()
    expect(keys).toHaveLength(1)
  })

  it('without a session', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    browser.page.cookies.clear()
    expect((await browser.register()).status).toBe(400)
  })

  it.each<[string, (browser: BindingBrowser) => object | Promise<object>]>([
    ['no key', () => ({})],
    ['none for an algorithm', async (browser) => ({ ...(await browser.shown()), alg: 'none' })],
    [
      'an algorithm of shared secrets',
      async (browser) => ({ ...(await browser.shown()), alg: 'HS256' }),
    ],
    [
      'another algorithm than the key’s',
      async (browser) => ({ ...(await browser.shown()), alg: 'RS256' }),
    ],
    ['another type', async (browser) => ({ ...(await browser.shown()), typ: 'jwt' })],
    [
      'a private part',
      async (browser) => ({ jwk: { ...(await browser.shown()).jwk, d: 'A'.repeat(43) } }),
    ],
    ['a shared secret', () => ({ jwk: { kty: 'oct', k: 'A'.repeat(43) } })],
    [
      'another curve',
      async (browser) => ({ jwk: { ...(await browser.shown()).jwk, crv: 'P-384' } }),
    ],
    [
      'a point that is on no curve',
      async (browser) => ({ jwk: { ...(await browser.shown()).jwk, y: 'A'.repeat(43) } }),
    ],
    [
      'an exponent of 1',
      () => ({ alg: 'RS256', jwk: { kty: 'RSA', n: 'w'.repeat(342), e: 'AQ' } }),
    ],
    [
      'a short modulus',
      () => ({ alg: 'RS256', jwk: { kty: 'RSA', n: 'w'.repeat(171), e: 'AQAB' } }),
    ],
    ['another’s key', async () => ({ jwk: await publicJwk((await newPair('ES256')).publicKey) })],
    [
      'a check of its own',
      async (browser) => ({ ...(await browser.shown()), crit: ['svc'], svc: 1 }),
    ],
    [
      'more than a proof has',
      async (browser) => ({ ...(await browser.shown()), kid: 'k'.repeat(4096) }),
    ],
  ])('whose header has %s', async (_, header) => {
    const { browser } = await signInBinding(web, { unbound: true })
    const { path = '', challenge = '' } = browser.asked ?? {}
    const proof = await browser.proof(challenge, { header: await header(browser) })
    await refused(browser.send(path, { 'secure-session-response': proof }), browser)
    expect((await browser.register()).status).toBe(200)
  })

  it('by a signature that an attacker can write: a key with e = 1 would verify it', async () => {
    const { browser } = await signInBinding(web, { unbound: true })
    const { path = '', challenge = '' } = browser.asked ?? {}
    const jwk = { kty: 'RSA', n: Buffer.alloc(256, 0xff).toString('base64url'), e: 'AQ' }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = `${part({ alg: 'RS256', typ: 'dbsc+jwt', jwk })}.${part({ jti: challenge })}`
    // RFC 8017, 9.2: what is left when a signature is raised to the first power.
    const hash = createHash('sha256').update(signed).digest()
    const digestInfo = Buffer.from('003031300d060960864801650304020105000420', 'hex')
    const signature = Buffer.concat([
      Buffer.from('0001', 'hex'),
      Buffer.alloc(256 - 2 - digestInfo.length - hash.length, 0xff),
      digestInfo,
      hash,
    ])
    const token = `${signed}.${signature.toString('base64url')}`
    await refused(browser.send(path, { 'secure-session-response': token }), browser)
  })

  it.each(['', '..', 'a.b.c', 'not a token', '"', 'é'])('whose proof is %j', async (token) => {
    const { browser } = await signInBinding(web, { unbound: true })
    const path = browser.asked?.path ?? ''
    await refused(browser.send(path, { 'secure-session-response': token }), browser)
  })
})
