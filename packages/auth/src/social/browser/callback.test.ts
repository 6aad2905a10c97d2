import { CompactEncrypt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { deriveKey } from '../../crypto/crypto.ts'
import * as events from '../../events.ts'
import { enrolledUser, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { spent } from '../../once/schema.ts'
import type { OAuthProvider } from '../../providers/providers.ts'
import { startTestAuth } from '../../testing.ts'
import { dumpTables } from '../../trials/attacks/dump-tables.ts'
import { socialAccounts } from '../accounts/accounts.ts'
import { socialOf } from '../social.ts'
import { oauthPending } from './schema.ts'
import { openState } from './state.ts'
import { proxyCookie, testBrowser } from './testing/test-browser.ts'
import { type Consent, somebody, testProvider } from './testing/test-provider.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const provider = testProvider('oauth-callback')
const other = testProvider('oauth-callback-other')
testProvider('oauth-callback-apps', { web: false, verifyNativeIdToken: async () => somebody() })
let asked: MockInstance<OAuthProvider['exchangeCode']>
beforeEach(() => {
  asked = vi.spyOn(provider.provider, 'exchangeCode')
})

const browser = (of = provider) => testBrowser(auth, of)

/** One that has left, and has agreed at the provider. */
async function agreed(identity = somebody()) {
  const visitor = browser()
  await visitor.leave()
  return { visitor, back: { ...visitor.consent(identity) } }
}

/** Counts the rows, to show that a refused user leaves none. */
const nobodyCame = async () => {
  const counted = [users, socialAccounts, oauthPending].map((table) => db.$count(table))
  return (await Promise.all(counted)).join()
}

async function refusedAs(failure: string, come: () => Promise<{ failure: string | null }>) {
  const before = await nobodyCame()
  expect((await come()).failure).toBe(failure)
  expect(await nobodyCame()).toBe(before)
}

describe('coming back from a provider', () => {
  it('leads to the page that finalizes (A-261)', async () => {
    const { visitor, back } = await agreed(somebody({ email: 'ada@example.com' }))
    const { status, to, headers } = await visitor.comeBack(back)
    expect([status, to.href]).toEqual([302, 'http://localhost:3790/auth/callback'])
    // The address has the code in it.
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.getSetCookie()).toEqual([
      `${proxyCookie}=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly`,
    ])
  })

  it('or to the page that says what went wrong, as carefully (A-096, A-261)', async () => {
    const { status, to, headers } = await browser().comeBack({ state: 'a', code: 'b' })
    expect([status, to.href]).toEqual([302, 'http://localhost:3790/auth/error?error=state_invalid'])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.getSetCookie()).toEqual([])
  })

  it('leads to the page of the second factor where one is due, which finalizes first (A-282)', async () => {
    const { email, userId } = await enrolledUser(auth)
    const { visitor, back } = await agreed(somebody({ email }))
    const { to } = await visitor.comeBack(back)
    expect(to.href).toBe('http://localhost:3790/auth/mfa?oauth=pending')
    expect(await visitor.finalize()).toMatchObject({
      status: 202,
      body: { mfaRequired: true, challenge: { secret: expect.any(String) }, returnUrl: '/next' },
    })
    expect(await auth.call('getAuthSession', undefined, visitor.key)).toMatchObject({ status: 401 })
    const active = (await auth.keysOf(userId)).filter(({ state }) => state === 'active')
    expect(active).toHaveLength(1)
  })

  it('is no page of a provider that is not there, or that browsers do not sign in with', async () => {
    expect((await browser().comeBack({}, 'nobody')).status).toBe(404)
    expect((await browser().comeBack({}, '__proto__')).status).toBe(404)
    expect((await browser().comeBack({}, 'oauth-callback-apps')).status).toBe(400)
  })
})

describe('a state', () => {
  it('can be used once: an attacker who reads the address in a log or a history is late', async () => {
    const { visitor, back } = await agreed()
    const copy = new Map(visitor.cookies)
    expect((await visitor.comeBack(back)).failure).toBe(null)
    for (const [name, value] of copy) visitor.cookies.set(name, value)
    await refusedAs('state_invalid', () => visitor.comeBack(back))
    await refusedAs('state_invalid', () => visitor.comeBack({ ...back, code: 'another' }))
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('is not spent by HEAD', async () => {
    const { visitor, back } = await agreed()
    const { url, headers } = visitor.returning(back)(auth.server)
    const looked = await fetch(url, { method: 'HEAD', headers, redirect: 'manual' })
    expect([looked.status, looked.headers.getSetCookie()]).toEqual([200, []])
    expect(looked.headers.get('cache-control')).toBe('no-store')
    expect(asked).not.toHaveBeenCalled()
    expect((await visitor.comeBack(back)).failure).toBeNull()
  })

  it('is good for ten minutes, and not a millisecond more', async () => {
    const first = await agreed()
    const second = await agreed()
    auth.clock.advance(10 * 60_000 - 1)
    expect((await first.visitor.comeBack(first.back)).failure).toBe(null)
    auth.clock.advance(1)
    await refusedAs('expired', () => second.visitor.comeBack(second.back))
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('is good at the provider that it was made for alone (mix-up)', async () => {
    const { visitor, back } = await agreed()
    await refusedAs('state_invalid', () => visitor.comeBack(back, other.id))
    // Its code has not been sent to the other one, and is good where it belongs.
    expect((await visitor.comeBack(back)).failure).toBe(null)
  })

  it('has to be one of ours, and of this purpose', async () => {
    const { visitor, back } = await agreed()
    const real = await openState(socialOf(auth.server.infrastructure), back.state)
    const { SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret } = auth.auth.env
    const sealed = (key: Uint8Array, header: object = {}) =>
      new CompactEncrypt(Buffer.from(JSON.stringify(real)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...header })
        .encrypt(key)
    const own = (label: Parameters<typeof deriveKey>[1]) => deriveKey(secret, label)
    const parts = back.state.split('.')
    const cut = parts.with(
      4,
      Buffer.from(parts[4] ?? '', 'base64url')
        .subarray(0, 4)
        .toString('base64url'),
    )
    const flipped = parts.with(
      3,
      `${(parts[3] ?? '').slice(0, -2)}${parts[3]?.endsWith('AA') ? 'BB' : 'AA'}`,
    )
    const password = Buffer.from('password').toString('base64url')
    const iterations = { alg: 'PBES2-HS256+A128KW', p2s: password, p2c: 10_000_000 }
    const states = [
      '',
      '.',
      '....',
      'null',
      real?.id ?? '',
      await sealed(own('limits')),
      await sealed(new Uint8Array(32)),
      await sealed(own('oauth state').subarray(0, 16), { enc: 'A128GCM' }),
      await sealed(Buffer.concat([own('oauth state'), own('limits')]), { enc: 'A256CBC-HS512' }),
      cut.join('.'),
      flipped.join('.'),
      parts.with(0, Buffer.from('{"alg":"none"}').toString('base64url')).join('.'),
      parts.with(0, Buffer.from(JSON.stringify(iterations)).toString('base64url')).join('.'),
      parts.slice(0, 4).join('.'),
      `${back.state}.`,
      `${back.state}\0`,
      ` ${back.state}`,
      Buffer.from(JSON.stringify(real)).toString('base64url'),
      'a'.repeat(10_000),
      `${parts[0]}..${'a.'.repeat(2000)}`,
    ]
    expect(decodeProtectedHeader(back.state)).toEqual({ alg: 'dir', enc: 'A256GCM' })
    for (const state of states) {
      await refusedAs('state_invalid', () => visitor.comeBack({ ...back, state }))
    }
    expect(asked).not.toHaveBeenCalled()
    expect((await visitor.comeBack(back)).failure).toBe(null)
  })
})

describe('the browser that comes back', () => {
  it('is the one that has left: an attacker’s code makes no session (A-273)', async () => {
    const attacker = await agreed()
    const victim = browser()
    await refusedAs('cookie_missing', () => victim.comeBack(attacker.back))
    await victim.leave()
    await refusedAs('state_invalid', () => victim.comeBack(attacker.back))
    // Not even in the state of the victim's own: the code is good for the other's verifier (RFC 7636).
    const own = victim.consent(somebody())
    await refusedAs('provider_error', () =>
      victim.comeBack({ state: own.state, code: attacker.back.code }),
    )
  })

  it('is found by any of its cookies, whichever process has set them (A-274)', async () => {
    const { visitor, back } = await agreed()
    const nonce = visitor.cookies.get(proxyCookie) as string
    visitor.cookies.clear()
    for (const port of [3000, 3001, 3002, 3003, 3004]) {
      visitor.cookies.set(`svc_oauth_csrf_${port}`, `stale-${port}`)
    }
    visitor.cookies.set('svc_oauth_csrf_3790', nonce)
    expect((await visitor.comeBack(back)).failure).toBe(null)
    expect([...visitor.cookies.keys()]).toHaveLength(5)
    expect(visitor.cookies.has(proxyCookie)).toBe(false)
  })

  it.each<[string, (nonce: string) => Record<string, string>]>([
    ['another name', (nonce: string) => ({ oauth_csrf_3790: nonce, x_svc_oauth_csrf: nonce })],
    ['another case', (nonce: string) => ({ [proxyCookie]: nonce.toUpperCase() })],
    ['a part of it', (nonce: string) => ({ [proxyCookie]: nonce.slice(0, -1) })],
    ['more than it', (nonce: string) => ({ [proxyCookie]: `${nonce}a` })],
    ['in quotes', (nonce: string) => ({ [proxyCookie]: `"${nonce}"` })],
    ['nothing', () => ({ [proxyCookie]: '' })],
    ['nothing at all', () => ({})],
  ])('is not known by %s', async (_, cookiesOf) => {
    const { visitor, back } = await agreed()
    const cookies = Object.entries(cookiesOf(visitor.cookies.get(proxyCookie) as string))
    visitor.cookies.clear()
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    const hasOne = cookies.some(([name]) => name.startsWith('svc_oauth_csrf'))
    await refusedAs(hasOne ? 'state_invalid' : 'cookie_missing', () => visitor.comeBack(back))
    expect(asked).not.toHaveBeenCalled()
  })

  it('is told that it was used, where the page is loaded again and its cookie is used up', async () => {
    const { visitor, back } = await agreed()
    expect((await visitor.comeBack(back)).failure).toBe(null)
    expect(visitor.cookies.has(proxyCookie)).toBe(false)
    expect((await visitor.comeBack(back)).failure).toBe('state_invalid')
  })

  it('may come without a proxy, by the cookie on the API’s own host (A-264)', async () => {
    const visitor = browser()
    await visitor.start({ returnUrl: '/started' })
    expect((await visitor.arrive(somebody())).failure).toBe(null)
    expect(await visitor.finalize()).toMatchObject({
      status: 200,
      body: { keyId: visitor.key.keyId, returnUrl: '/started' },
    })
  })
})

describe('what the address may have in it', () => {
  const without = ({ state }: Consent) => ({ state })

  it.each<[string, (back: Consent) => Record<string, string>]>([
    ['the refusal of the user', (back) => ({ ...without(back), error: 'access_denied' })],
    ['a refusal beside a code', (back) => ({ ...back, error: 'access_denied' })],
    ['an empty refusal', (back) => ({ ...back, error: '' })],
    ['no code', without],
    ['an empty code', (back) => ({ ...without(back), code: '' })],
    ['an invalid code', (back) => ({ ...without(back), code: 'a\0b{error}' })],
  ])('%s: provider_error, and the state is spent', async (_, change) => {
    const { visitor, back } = await agreed()
    await refusedAs('provider_error', () => visitor.comeBack(change(back)))
    await refusedAs('state_invalid', () => visitor.comeBack(back))
  })

  it.each([
    ['a state twice', 'state_invalid', 'state=a&'],
    ['a code twice', 'provider_error', 'code=a&'],
    ['an error twice', 'provider_error', 'error=a&error=b&'],
  ])('%s: the error page, not a refusal as JSON', async (_, failure, more) => {
    const { visitor, back } = await agreed()
    const { url, headers } = visitor.returning(back)(auth.server)
    const before = await nobodyCame()
    const answer = await fetch(url.replace('?', `?${more}`), { headers, redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(`http://localhost:3790/auth/error?error=${failure}`)
    expect(await nobodyCame()).toBe(before)
  })

  it('more than we know is left alone', async () => {
    const { visitor, back } = await agreed()
    const more = { iss: 'https://provider.test', scope: 'a b', 'state[]': 'a', prompt: 'none' }
    expect((await visitor.comeBack({ ...back, ...more })).failure).toBe(null)
  })
})

describe('a provider that cannot be asked, or answers what is no answer', () => {
  it.each<[string, () => unknown]>([
    ['no id', () => ({ isEmailVerified: false })],
    ['null', () => ({ providerUserId: null, isEmailVerified: false })],
    ['a number', () => ({ providerUserId: 7, isEmailVerified: false })],
    ['an empty id', () => ({ providerUserId: '', isEmailVerified: false })],
    ['undefined as text', () => ({ providerUserId: 'undefined', isEmailVerified: false })],
    ['null as text', () => ({ providerUserId: 'null', isEmailVerified: false })],
    ['10 kB', () => ({ providerUserId: 'a'.repeat(10_000), isEmailVerified: false })],
    ['a zero byte', () => ({ providerUserId: 'a\0b', isEmailVerified: false })],
    ['a flag as text', () => ({ ...somebody(), email: 'a@example.com', isEmailVerified: 'false' })],
    ['no user', () => undefined],
    ['a failure', () => Promise.reject(new TypeError('fetch failed'))],
  ])('%s: provider_error', async (_, getIdentity) => {
    const identified = vi.spyOn(provider.provider, 'getIdentity')
    identified.mockImplementation(async () => (await getIdentity()) as never)
    const { visitor, back } = await agreed()
    await refusedAs('provider_error', () => visitor.comeBack(back))
    identified.mockRestore()
  })
})

describe('a provider that does not answer', () => {
  it('delays no browser for longer than five seconds', async () => {
    const { promise: never, reject } = Promise.withResolvers<never>()
    vi.spyOn(provider.provider, 'getIdentity').mockReturnValue(never)
    const { visitor, back } = await agreed()
    const began = performance.now()
    await refusedAs('provider_error', () => visitor.comeBack(back))
    expect(performance.now() - began).toBeLessThan(6000)
    reject(new Error('too late'))
  })
})

describe('what is secret on the way', () => {
  it('is in no line of the log, in no table as it is, and in no event', async () => {
    const told: unknown[] = []
    const leave = Object.values(events).map((event) =>
      event.subscribe((payload) => void told.push(payload)),
    )
    const { visitor, back } = await agreed()
    const secrets = [back.state, visitor.cookies.get(proxyCookie) as string]
    await visitor.comeBack({ ...back, error: 'access_denied' })
    await visitor.comeBack({ ...back, state: `${back.state}a` })
    const keyless = browser()
    await keyless.follow()
    secrets.push(
      ...keyless.cookies.values(),
      new URL(keyless.authUrl).searchParams.get('state') ?? '',
    )
    await keyless.arrive(somebody())
    secrets.push(keyless.cookies.get('svc_oauth_pending') as string)
    const rows = await dumpTables(db)
    await keyless.finalize()
    await browser().signIn(somebody())
    for (const each of leave) each()

    secrets.push(...provider.secrets)
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.every((secret) => secret?.length >= 36)).toBe(true)
    expect(told.length).toBeGreaterThan(2)
    const everything = [
      JSON.stringify(auth.logged),
      rows,
      await dumpTables(db),
      JSON.stringify(told),
    ]
    expect(secrets.filter((secret) => everything.some((text) => text.includes(secret)))).toEqual([])
  })

  it('is forgotten when its time is over: of a state an id is kept, a quarter of an hour longer than it is good', async () => {
    const { visitor, back } = await agreed()
    const state = await openState(socialOf(auth.server.infrastructure), back.state)
    await visitor.comeBack(back)
    const kept = (await db.select().from(spent)).find(({ id }) => id === `oauth-state:${state?.id}`)
    expect(kept?.until.getTime()).toBe(Number(state?.expiresAtMillis) + 15 * 60_000)
  })
})
