import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { registerOAuthProvider } from '../../providers/providers.ts'
import type { IdTokenForgery } from '../../providers/testing/test-id-token.ts'
import { refused } from '../../test-answers.ts'
import { createTestKey, type TestKey } from '../../testing.ts'
import { socialAccounts } from '../accounts/accounts.ts'
import { startNative } from './testing/test-native.ts'

const auth = await startNative()
afterAll(auth.stop)
const { openid, appleApp, idTokenFor, show } = auth
const { db } = auth.auth

const sub = 'whose-account-it-is'
beforeEach(() => {
  openid.setUser({ sub, email: 'ada@example.com', email_verified: true })
  openid.misbehave(null)
})

const refusedToken = refused(401, 'InvalidSocialTokenError')
const unavailable = refused(503, 'ServiceUnavailableError')
const isNobody = async () =>
  (await db.$count(socialAccounts, eq(socialAccounts.provider, 'google'))) === 0

const seconds = () => Math.floor(auth.clock.now().getTime() / 1000)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** What is wrong with a token, in its claims or its signature. */
const wrong: Record<string, (key: TestKey) => [Record<string, unknown>, IdTokenForgery?]> = {
  'of another issuer, with the right address': () => [{ iss: 'https://accounts.google.com' }],
  'for another audience': () => [{ aud: 'another-app' }],
  'of Apple': () => [{ aud: appleApp }],
  'for us and another client': () => [{ aud: [openid.appClientId, 'another-app'] }],
  'for us, handed out by another client': () => [{ azp: 'another-app' }],
  expired: () => [{ exp: seconds() }],
  'of the future': () => [{ iat: seconds() + 3600 }],
  'with another nonce': () => [{ nonce: '0'.repeat(64) }],
  'with no nonce': () => [{ nonce: undefined }],
  'with the nonce in upper case': ({ registration }) => [
    { nonce: registration.fingerprint.toUpperCase() },
  ],
  'with the nonce in base64': ({ registration }) => [
    { nonce: Buffer.from(registration.fingerprint, 'hex').toString('base64url') },
  ],
  'with the hash of the nonce, as Apple has it': ({ registration }) => [
    { nonce: sha256(registration.fingerprint) },
  ],
  'that is not signed': () => [{}, { alg: 'none' }],
  'signed with the public key': () => [{}, { alg: 'HS256' }],
  'signed with the client’s secret': () => [
    {},
    { alg: 'HS256', key: { secret: openid.clientSecret } },
  ],
  'signed by another': () => [{}, { key: 'foreign' }],
  'of a key that there is none of': () => [{}, { kid: 'unknown' }],
  'of no user': () => [{ sub: '' }],
  'of null': () => [{ sub: null }],
  'of “null”': () => [{ sub: 'null' }],
  'of “undefined”': () => [{ sub: 'undefined' }],
  'of a number': () => [{ sub: 7 }],
  'of too long a name': () => [{ sub: 'a'.repeat(10_000) }],
}

describe('an id token', () => {
  it.each(Object.entries(wrong))('%s is refused (A-292, A-360)', async (_, spoil) => {
    const key = await createTestKey()
    const [claims, forgery] = spoil(key)
    const nonce = key.registration.fingerprint
    const idToken = await openid.issueIdToken({ nonce, ...claims }, forgery)
    expect(await show('google', key, { idToken })).toMatchObject(refusedToken)
    expect(await isNobody()).toBe(true)
  })

  it.each(['', 'a', 'a.b.c', '{}', '…'])('that is none is refused: %s (A-292)', async (idToken) => {
    expect(await show('google', await createTestKey(), { idToken })).toMatchObject(refusedToken)
  })

  it('of Apple holds the hash of the nonce, and not the nonce itself (A-294)', async () => {
    const key = await createTestKey()
    const nonce = key.registration.fingerprint
    const raw = await openid.issueIdToken({ aud: appleApp, nonce, sub: randomUUID() })
    expect(await show('apple', key, { idToken: raw })).toMatchObject(refusedToken)
    const hashed = { aud: appleApp, nonce: sha256(nonce), sub: randomUUID() }
    const idToken = await openid.issueIdToken(hashed)
    expect(await show('apple', key, { idToken })).toMatchObject({ status: 200 })
  })

  it('is refused in words that are the same for every fault, and nothing of it is logged (A-360)', async () => {
    const key = await createTestKey()
    const nonce = key.registration.fingerprint
    const tokens = [
      await openid.issueIdToken({ nonce, aud: 'another-app' }),
      await openid.issueIdToken({ nonce }, { key: 'foreign' }),
      await openid.issueIdToken({ nonce: 'another' }),
    ]
    const answers = []
    for (const idToken of tokens) {
      const { body } = await show('google', key, { idToken, accessToken: 'an-access-token' })
      answers.push({ ...body, error: { ...body.error, requestId: '' } })
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const logged = JSON.stringify(auth.logged)
    expect(logged).toContain('an id token is not valid')
    for (const secret of [...tokens.map((token) => token.split('.')[2]), 'an-access-token']) {
      expect(logged).not.toContain(secret)
    }
  })
})

describe('the key that an id token is bound to', () => {
  it('is the one of the nonce: a token that was read on its way is worth nothing (A-357, A-374)', async () => {
    const [owner, thief] = [await createTestKey(), await createTestKey()]
    const idToken = await idTokenFor(owner)
    const { fingerprint } = owner.registration
    const refusal = refused(400, 'NonceKeyBindingError')
    expect(await show('google', thief, { idToken, nonce: fingerprint })).toMatchObject(refusal)
    expect(await show('google', thief, { idToken })).toMatchObject(refusedToken)
    // The owner's fingerprint beside the thief's key.
    expect(await show('google', thief, { idToken, nonce: fingerprint, fingerprint })).toMatchObject(
      refused(400, 'InvalidKeyFingerprintError'),
    )
    expect(await isNobody()).toBe(true)
  })

  it('has its fingerprint in lower-case hex, so no other nonce can be right (A-295)', async () => {
    const key = await createTestKey()
    const hex = key.registration.fingerprint
    for (const nonce of [hex.toUpperCase(), Buffer.from(hex, 'hex').toString('base64')]) {
      const idToken = await openid.issueIdToken({ nonce })
      const answer = await show('google', key, { idToken, nonce, fingerprint: nonce })
      expect(answer).toMatchObject(refused(400, 'InvalidKeyFingerprintError'))
    }
  })

  it('is of the algorithm that is declared (A-290)', async () => {
    const key = await createTestKey()
    const answer = await show('google', key, { idToken: 'any', algorithm: 'RS256' })
    expect(answer).toMatchObject(refused(400, 'KeyAlgorithmMismatchError'))
  })

  it('is checked before a provider is asked anything', async () => {
    const asked = openid.timesAsked('/jwks')
    auth.clock.advance('11m')
    const key = await createTestKey()
    await show('google', key, { idToken: await idTokenFor(key), nonce: 'f'.repeat(64) })
    expect(openid.timesAsked('/jwks')).toBe(asked)
  })
})

describe('the body', () => {
  it.each([
    ['idToken', undefined],
    ['nonce', undefined],
    ['publicKey', undefined],
    ['keyId', undefined],
    ['fingerprint', undefined],
    ['algorithm', 'HS256'],
    ['profile', 'Ada'],
    ['accessToken', 7],
    ['platform', 'toaster'],
  ])('needs a right %s (A-290, A-354)', async (name, value) => {
    const answer = await show('google', await createTestKey(), { idToken: 'any', [name]: value })
    expect(answer).toMatchObject(refused(400, 'ValidationError'))
    expect(JSON.stringify(answer.body.fields)).toContain(name)
  })
})

describe('every refusal', () => {
  it('has the name of its class twice, so that a client without the classes can tell it (A-353)', async () => {
    const key = await createTestKey()
    const bad = { idToken: 'any' }
    const refusals = {
      ValidationError: show('google', key, { idToken: '', profile: 7 }),
      NotFoundError: show('facebook', key, bad),
      NativeSignInUnsupportedError: show('github', key, bad),
      NonceKeyBindingError: show('google', key, { ...bad, nonce: '' }),
      InvalidSocialTokenError: show('google', key, bad),
    }
    for (const [code, asked] of Object.entries(refusals)) {
      const { body } = await asked
      const error = { code, message: body.message, requestId: expect.any(String) }
      expect(body).toMatchObject({ __type: code, error })
    }
  })
})

describe('a provider that cannot be asked', () => {
  it.each(['down', 'failing', 'limited', 'huge', 'redirecting', 'not json', 'other json'] as const)(
    'for its keys, because it is %s, is no fault of the token (A-292)',
    async (how) => {
      // The keys that are known are too old to be believed.
      auth.clock.advance('25h')
      openid.misbehave(how)
      const key = await createTestKey()
      const answer = await show('google', key, { idToken: await idTokenFor(key) })
      expect(answer).toMatchObject(unavailable)
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(await isNobody()).toBe(true)
    },
  )

  it('is waited for no longer than five seconds, and so is one of the application’s (A-292)', async () => {
    registerOAuthProvider(endless)
    auth.clock.advance('25h')
    openid.misbehave('silent')
    const key = await createTestKey()
    const startedAt = performance.now()
    const answers = await Promise.all([
      show('google', key, { idToken: await idTokenFor(key) }),
      show('endless', key, { idToken: 'any' }),
    ])
    expect(performance.now() - startedAt).toBeLessThan(5000)
    expect(answers).toMatchObject([unavailable, unavailable])
  }, 10_000)

  it('is no fault of the token either where it breaks down (A-292)', async () => {
    registerOAuthProvider({ ...endless, verifyNativeIdToken: () => JSON.parse('{') })
    const answer = await show('endless', await createTestKey(), { idToken: 'any' })
    expect(answer).toMatchObject(unavailable)
  })

  it('is asked for its keys once, however many key ids are invented (A-292)', async () => {
    auth.clock.advance('25h')
    const key = await createTestKey()
    const nonce = key.registration.fingerprint
    const before = openid.timesAsked('/jwks')
    for (let tries = 0; tries < 5; tries++) {
      const idToken = await openid.issueIdToken({ nonce }, { kid: `invented-${tries}` })
      expect(await show('google', key, { idToken })).toMatchObject(refusedToken)
    }
    expect(openid.timesAsked('/jwks') - before).toBe(1)
  })
})

const refuse = () => Promise.reject(new Error('It is for apps only.'))
const endless = {
  id: 'endless',
  getAuthUrl: refuse,
  exchangeCode: refuse,
  getIdentity: refuse,
  verifyNativeIdToken: () => new Promise<never>(() => {}),
}
