import { afterAll, describe, expect, it } from 'vitest'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { refused } from '../../test-answers.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { testBrowser } from './testing/test-browser.ts'
import { authorizePage, sentTo, somebody, testProvider } from './testing/test-provider.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const provider = testProvider('oauth-leaving')
const google = testProvider('google')
const isIll = testProvider('oauth-ill', {
  getAuthUrl: async () => {
    throw new TypeError('fetch failed')
  },
})
testProvider('oauth-apps-only', { web: false, verifyNativeIdToken: async () => somebody() })
testProvider('oauth-off', { web: false })

const params = { provider: provider.id }
const nonce = 'n'.repeat(43)
const url = (body: object, of = params) =>
  auth.call('getProviderOAuthUrl', { returnUrl: '/next', ...body }, undefined, { params: of })
const start = async (body: object) =>
  auth.call('start', {
    provider: provider.id,
    returnUrl: '/next',
    ...(await createTestKey()).registration,
    ...body,
  })
const follow = (path: string) => auth.fetch(path, { redirect: 'manual' })

/** What no path of the app is, and what a browser or a proxy would make something else of. */
const hostileUrls = [
  'https://evil.example/',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2f%2fevil.example',
  '/%5Cevil.example',
  '/a//evil.example',
  '/a/../../b',
  '/%2e%2e/b',
  '/\tevil',
  '/%09/evil.example',
  '/a\nb',
  '/%0d%0aset-cookie:a=b',
  '/a\u0000b',
  '/%00',
  'javascript:alert(1)',
  'data:text/html,a',
  ' /next',
  'next',
  '',
  '/%',
  '/\ud800',
  `/${'a'.repeat(600)}`,
]

describe('the address of a provider’s page', () => {
  it('is what Google is asked for by POST, without an account (A-258)', async () => {
    const answer = await auth.call('getGoogleOAuthUrl', { returnUrl: '/next', metadata: { a: 1 } })
    expect(answer).toMatchObject({ status: 200, body: { authUrl: expect.any(String) } })
    expect(Object.keys(answer.body)).toEqual(['authUrl'])
    const byPath = await auth.fetch('/_auth/oauth/google/url', {
      method: 'POST',
      body: '{"returnUrl":"/next"}',
      headers: { 'content-type': 'application/json' },
    })
    expect((await byPath.json()).authUrl).toMatch(`${authorizePage}?`)
  })

  it('is what every provider is asked for by its id (A-259)', async () => {
    const { status, body, headers } = await url({})
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const sent = sentTo(body.authUrl)
    expect(sent).toMatchObject({
      redirectUri: `http://localhost:3790/_auth/oauth/${provider.id}/callback`,
      codeChallenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w.-]{100,}$/),
    })
    const again = sentTo((await url({})).body.authUrl)
    for (const name of ['codeChallenge', 'nonce', 'state']) {
      expect(again[name]).not.toBe(sent[name])
    }
  })

  it('has nothing in it that can be read: not the page, the key, the metadata or the nonce', async () => {
    const { registration } = await createTestKey()
    const metadata = { campaign: 'sealed-campaign' }
    const { authUrl } = (await url({ nonce, metadata, returnUrl: '/sealed', ...registration })).body
    const parts = sentTo(authUrl)['state']?.split('.') ?? []
    const read = parts.map((part) => Buffer.from(part, 'base64url').toString('latin1')).join()
    expect(JSON.parse(read.split(',,')[0] ?? '')).toEqual({ alg: 'dir', enc: 'A256GCM' })
    for (const secret of [
      'sealed',
      'campaign',
      nonce,
      registration.keyId,
      registration.publicKey,
    ]) {
      expect(`${read} ${authUrl}`).not.toContain(secret)
    }
  })

  it('comes with the cookie that the callback knows the browser by, unless a proxy sets it (A-264, A-274)', async () => {
    const port = new URL(auth.url).port
    const { headers } = await start({})
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^svc_oauth_csrf_${port}=[\\w-]{43}; Path=/; Max-Age=600; SameSite=Lax; HttpOnly$`,
        ),
      ),
    ])
    expect((await url({ nonce })).headers.getSetCookie()).toEqual([])
  })

  it('is not given for a provider that is not there, or signs in apps alone', async () => {
    expect(await url({}, { provider: 'nobody' })).toMatchObject(refused(404, 'NotFoundError'))
    expect(await url({}, { provider: '__proto__' })).toMatchObject(refused(404, 'NotFoundError'))
    const answer = refused(400, 'WebSignInUnsupportedError')
    for (const id of ['oauth-apps-only', 'apple', 'github']) {
      expect(await url({}, { provider: id }), id).toMatchObject(answer)
      expect(await start({ provider: id }), id).toMatchObject(answer)
      expect((await follow(`/_auth/oauth/${id}`)).status, id).toBe(400)
    }
  })

  it('is not there where the provider cannot be asked for it: 503', async () => {
    expect(await url({}, { provider: isIll.id })).toMatchObject(
      refused(503, 'ServiceUnavailableError'),
    )
    expect((await follow(`/_auth/oauth/${isIll.id}`)).status).toBe(503)
  })

  it.each(hostileUrls)('is refused for the return to %j', async (returnUrl) => {
    const answer = refused(400, 'ValidationError')
    expect(await url({ returnUrl })).toMatchObject(answer)
    expect(await start({ returnUrl })).toMatchObject(answer)
    if (!returnUrl.isWellFormed()) return
    const query = new URLSearchParams({ returnUrl })
    expect((await follow(`/_auth/oauth/${provider.id}?${query}`)).status).toBe(400)
  })

  it('is refused for more metadata than fits an address, and for what is no object', async () => {
    const most = 2048 - '{"a":""}'.length
    expect(await url({ metadata: { a: 'b'.repeat(most) } })).toMatchObject({ status: 200 })
    const invalid = refused(400, 'ValidationError')
    expect(await url({ metadata: { a: 'b'.repeat(most + 1) } })).toMatchObject(invalid)
    expect(await start({ metadata: { a: 'é'.repeat(most) } })).toMatchObject(invalid)
    for (const metadata of ['text', 1, ['list']]) {
      expect(await url({ metadata }), String(metadata)).toMatchObject(invalid)
    }
  })

  it('takes a whole key or none, and only one that is what it says', async () => {
    const { registration } = await createTestKey()
    const { publicKey, keyId, fingerprint, algorithm } = registration
    for (const missing of ['publicKey', 'keyId', 'fingerprint', 'algorithm'] as const) {
      const part = { publicKey, keyId, fingerprint, algorithm, [missing]: undefined }
      expect(await url(part), missing).toMatchObject(refused(400, 'ValidationError'))
    }
    const other = (await createTestKey()).registration
    expect(await url({ ...registration, fingerprint: other.fingerprint })).toMatchObject({
      status: 400,
    })
    expect(await url({ ...registration, algorithm: 'RS256' })).toMatchObject(
      refused(400, 'KeyAlgorithmMismatchError'),
    )
  })

  it('takes a nonce of the web proxy’s form alone', async () => {
    for (const wrong of [
      '',
      'n'.repeat(42),
      'n'.repeat(44),
      `${'n'.repeat(42)};`,
      'é'.repeat(43),
    ]) {
      expect(await url({ nonce: wrong }), wrong).toMatchObject(refused(400, 'ValidationError'))
    }
  })
})

describe('a plain link', () => {
  it('leads to the provider: Google’s too (A-260)', async () => {
    for (const { id } of [google, provider]) {
      const answer = await follow(`/_auth/oauth/${id}`)
      expect(answer.status).toBe(302)
      expect(answer.headers.get('location')).toMatch(`${authorizePage}?`)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.getSetCookie()).toEqual([expect.stringContaining('svc_oauth_csrf_')])
    }
  })

  it('signs in without a key, which is given in the end, and leads home', async () => {
    const browser = testBrowser(auth, provider)
    await browser.follow('')
    await browser.arrive(somebody())
    expect(await browser.finalize()).toMatchObject({ status: 200, body: { returnUrl: '/' } })
  })
})

describe('the list of providers', () => {
  it('has those that can be used to sign in, in a browser or in an app (A-263)', async () => {
    const { status, body } = await auth.call('providers')
    expect(status).toBe(200)
    expect(body).toEqual({
      providers: [
        { id: 'google', web: true, native: false },
        { id: provider.id, web: true, native: false },
        { id: isIll.id, web: true, native: false },
        { id: 'oauth-apps-only', web: false, native: true },
      ],
    })
  })
})
