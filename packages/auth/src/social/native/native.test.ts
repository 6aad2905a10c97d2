import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { profiles, users } from '../../accounts/schema.ts'
import { configureAuth, type RegistrationContext } from '../../configure-auth.ts'
import { deviceRegisteredEvent, loginEvent, registerEvent } from '../../events.ts'
import { enrol } from '../../mfa/testing/test-second-factor.ts'
import { RegistrationRejectedError } from '../../register/errors.ts'
import { done, refused } from '../../test-answers.ts'
import { createTestKey, type TestKey } from '../../testing.ts'
import { socialAccounts } from '../accounts/accounts.ts'
import { startNative } from './testing/test-native.ts'

const auth = await startNative()
afterAll(auth.stop)
const { call, openid, idTokenFor, show, signInAs } = auth
const { db } = auth.auth
afterEach(() => configureAuth({ beforeRegister: () => {} }))
beforeEach(() => openid.setUser({ sub: 'nobody', email: undefined }))

const somebody = () => {
  const sub = randomUUID()
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada' }
}
const signs = async (key: TestKey) => (await call('getAuthSession', undefined, key)).status === 200
const linksOf = (sub: string) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.providerUserId, sub))
const displayNameOf = async (userId: string) =>
  (await db.select().from(profiles).where(eq(profiles.userId, userId)))[0]?.displayName

const byApple = async (key: TestKey, claims = {}, fields = {}) => {
  const nonce = createHash('sha256').update(key.registration.fingerprint).digest('hex')
  const idToken = await openid.issueIdToken({ aud: auth.appleApp, nonce, ...claims })
  return show('apple', key, { idToken, ...fields })
}

describe('oauthNative', () => {
  it('opens an account, links it, and registers the key, which signs at once (A-131, A-266, A-267, A-293)', async () => {
    const key = await createTestKey()
    const ada = somebody()
    const registered = vi.fn()
    const ends = [
      registerEvent.subscribe(({ userId, provider }) => void registered({ userId, provider })),
      loginEvent.subscribe(
        ({ userId, provider, mfa }) => void registered({ userId, provider, mfa }),
      ),
      deviceRegisteredEvent.subscribe(
        ({ userId, channel }) => void registered({ userId, channel }),
      ),
    ]
    const { status, body } = await signInAs(ada, key)
    for (const end of ends) end()
    expect([status, body]).toEqual([
      200,
      {
        knownBrowser: expect.any(String),
        mfaRequired: false,
        userId: expect.any(String),
        publicId: expect.any(String),
        email: ada.email,
        passwordChangeRequired: false,
        keyId: key.keyId,
        isNewUser: true,
      },
    ])
    expect(await signs(key)).toBe(true)
    const { userId } = body
    expect(await linksOf(ada.sub)).toMatchObject([
      { userId, provider: 'google', accessToken: null },
    ])
    for (const told of [
      { userId, provider: 'google' },
      { userId, provider: 'google', mfa: 'none' },
      { userId, channel: 'oauthNative' },
    ]) {
      expect(registered).toHaveBeenCalledWith(told)
    }
  })

  it('signs the same account in on another device, which is new to it and no new user (A-267)', async () => {
    const ada = somebody()
    const first = await done(signInAs(ada))
    const key = await createTestKey()
    const again = await signInAs({ ...ada, email: 'moved@example.com', name: 'Countess' }, key)
    expect(again).toMatchObject({
      status: 200,
      body: { userId: first.userId, email: ada.email, keyId: key.keyId, isNewUser: false },
    })
    expect(await displayNameOf(first.userId)).toBe('Ada')
  })

  it('says nothing of a provider that there is none of (A-266)', async () => {
    const key = await createTestKey()
    for (const provider of ['facebook', 'GOOGLE', '__proto__', 'google ']) {
      const answer = await show(provider, key, { idToken: await idTokenFor(key) })
      expect([provider, answer.status]).toEqual([provider, 404])
    }
  })

  it.each(['github', 'kakao', 'naver'])(
    'says where %s takes no app, so that there is no button for it (A-296, A-356)',
    async (provider) => {
      const answer = await show(provider, await createTestKey(), { idToken: 'any' })
      expect(answer).toMatchObject(refused(400, 'NativeSignInUnsupportedError'))
    },
  )

  it('asks for the second factor, and finishes with it (A-246, A-267, A-293)', async () => {
    const ada = somebody()
    const key = await createTestKey()
    const { userId, email } = await done(signInAs(ada, key))
    const user = await enrol(auth, { userId, publicId: '', email, password: '', key })
    const next = await createTestKey()
    const { status, body } = await signInAs(ada, next)
    expect([status, body]).toEqual([
      202,
      {
        mfaRequired: true,
        challenge: {
          secret: expect.any(String),
          expiresAtMillis: auth.clock.now().getTime() + 10 * 60_000,
        },
        keyId: next.keyId,
        isNewUser: false,
      },
    ])
    expect(await signs(next)).toBe(false)
    const { secret: challenge } = body.challenge
    const verified = await call('mfaVerify', { challenge, code: user.code() })
    expect(verified).toMatchObject({ status: 200, body: { userId, keyId: next.keyId } })
    expect(await signs(next)).toBe(true)
  })
})

describe('the name of a new account', () => {
  it('is the one that an app has from Apple, who tells it once and in no id token (A-291)', async () => {
    const claims = { sub: randomUUID() }
    const key = await createTestKey()
    const { userId } = await done(byApple(key, claims, { profile: { name: ' Ada  Lovelace ' } }))
    expect(await displayNameOf(userId)).toBe('Ada Lovelace')
    await done(byApple(await createTestKey(), claims, { profile: { name: 'Somebody' } }))
    expect(await displayNameOf(userId)).toBe('Ada Lovelace')
  })

  it.each([{}, { profile: {} }, { profile: { name: '  ' } }])(
    'is the one of the id token where the app has none: %o (A-291)',
    async (fields) => {
      const key = await createTestKey()
      const idToken = await idTokenFor(key, somebody())
      const { userId } = await done(show('google', key, { idToken, ...fields }))
      expect(await displayNameOf(userId)).toBe('Ada')
    },
  )
})

describe('beforeRegister', () => {
  it('is told which provider a user comes from', async () => {
    const contexts: RegistrationContext[] = []
    configureAuth({ beforeRegister: (context) => void contexts.push(context) })
    const { email, sub } = somebody()
    await done(signInAs({ sub, email, email_verified: true }))
    await done(signInAs({ sub, email, email_verified: true }))
    expect(contexts).toEqual([
      { channel: 'native', provider: 'google', email, emailVerified: true },
    ])
  })

  it('refuses a registration, and nothing is left of it (A-353)', async () => {
    configureAuth({
      beforeRegister: () => {
        throw new RegistrationRejectedError({ message: 'By invitation only.' })
      },
    })
    const ada = somebody()
    const key = await createTestKey()
    expect(await signInAs(ada, key)).toMatchObject(refused(403, 'RegistrationRejectedError'))
    expect(await db.select().from(users).where(eq(users.email, ada.email))).toEqual([])
    expect([await linksOf(ada.sub), await signs(key)]).toEqual([[], false])
    configureAuth({ beforeRegister: () => {} })
    expect(await signInAs(ada, key)).toMatchObject({ status: 200, body: { isNewUser: true } })
  })
})

describe('an id token that is sent again', () => {
  it('is a repeated answer with the same key, and opens nothing twice (A-293)', async () => {
    const key = await createTestKey()
    const ada = somebody()
    const idToken = await idTokenFor(key, ada)
    const { userId } = await done(show('google', key, { idToken }))
    const again = await show('google', key, { idToken })
    expect(again).toMatchObject({ status: 200, body: { userId, isNewUser: false } })
    expect(await auth.keysOf(userId)).toHaveLength(1)
    expect(await linksOf(ada.sub)).toHaveLength(1)
  })

  it('brings no device back that was signed out, under whichever key id (A-304)', async () => {
    const key = await createTestKey()
    const sub = randomUUID()
    const { userId } = await done(byApple(key, { sub }))
    await done(call('logout', undefined, key))
    expect(await signs(key)).toBe(false)

    const renamed = { ...key.registration, keyId: `key-${randomUUID()}` }
    for (const registration of [key.registration, renamed]) {
      const answer = await byApple({ ...key, registration }, { sub })
      expect(answer).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    }
    expect((await auth.keysOf(userId)).map(({ state }) => state)).toEqual(['revoked'])
    expect(await signs({ ...key, keyId: renamed.keyId })).toBe(false)
    expect(await byApple(await createTestKey(), { sub })).toMatchObject({ status: 200 })
  })

  it('gives a device no second key id, which would outlive the first (A-293)', async () => {
    const key = await createTestKey()
    const idToken = await idTokenFor(key, somebody())
    const { userId } = await done(show('google', key, { idToken }))
    const keyId = `key-${randomUUID()}`
    const answer = await show('google', key, { idToken, keyId })
    expect(answer).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    expect(await auth.keysOf(userId)).toHaveLength(1)
  })
})
