import { defineRouter, route, t } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { loginEvent, registerEvent } from '../events.ts'
import { withKeyring } from '../mfa/testing/test-second-factor.ts'
import { socialAccounts } from '../social/accounts/accounts.ts'
import { testBrowser } from '../social/browser/testing/test-browser.ts'
import { somebody, testProvider } from '../social/browser/testing/test-provider.ts'
import { showingTo } from '../social/native/testing/test-native.ts'
import {
  getOAuthProvider,
  getProviderAccessToken,
  getRegisteredProviders,
  signInWithProvider,
} from '../social/social.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { SOCIAL_PROVIDERS } from './fields.ts'
import { type OAuthProvider, ProviderRefusalError } from './provider.ts'
import { registerOAuthProvider } from './providers.ts'

const web = testProvider('acme-web')

const refuse = () => {
  throw new ProviderRefusalError('only apps sign in with it')
}
/** Its id tokens are `<user id> <nonce>`, and its notices a user's id under a password. */
const app: OAuthProvider = {
  id: 'acme-app',
  getAuthUrl: refuse,
  exchangeCode: refuse,
  getIdentity: refuse,
  async verifyNativeIdToken(idToken, { nonce }) {
    const [providerUserId = '', bound] = idToken.split(' ')
    if (bound !== nonce) throw new ProviderRefusalError('another nonce')
    return { providerUserId, isEmailVerified: false }
  },
  verifyUnlinkNotification({ headers, fields }) {
    if (headers.get('x-acme') !== 'password') return null
    return { providerUserId: fields.get('user') ?? '', reason: 'withdrawn' }
  },
  unlinkNotifyAckStatus: 202,
}
registerOAuthProvider(app)
const beforeBoot = getRegisteredProviders()

/** What the application does in the transaction of its callback, after the user was signed in. */
let alongside = () => {}
const router = defineRouter({
  callback: route
    .post('/acme/callback')
    .skip(['auth'])
    .input({ body: t.Object({ user: t.String(), provider: t.String() }) })
    .handler(async (c) => {
      const { user, provider } = (await c.data()).body
      return c.db.transaction(async (tx) => {
        const signedIn = await signInWithProvider(tx, c, {
          provider,
          identity: somebody({ providerUserId: user, email: `${user}@example.com` }),
          tokens: { accessToken: `access-of-${user}`, expiresInSeconds: 3600 },
          metadata: { from: 'acme' },
          returnUrl: '/from-acme',
        })
        alongside()
        return signedIn
      })
    }),
  untransacted: route
    .post('/acme/untransacted')
    .skip(['auth'])
    .handler(async (c) => {
      const signIn = { provider: web.id, identity: somebody(), returnUrl: '/' }
      // @ts-expect-error -- A database is no transaction.
      return signInWithProvider(c.db, c, signIn)
    }),
})

const auth = await startTestAuth({ env: withKeyring(), router })
afterAll(() => auth.stop())
const { db } = auth.auth

const told: { name: string; userId: string; provider: string }[] = []
for (const event of [registerEvent, loginEvent]) {
  event.subscribe(({ userId, provider }) => void told.push({ name: event.name, userId, provider }))
}
const linksOf = (providerUserId: string) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.providerUserId, providerUserId))

async function comeBack(body: object, path = '/acme/callback') {
  const headers = { 'content-type': 'application/json' }
  const answer = await auth.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

describe('a provider of the application', () => {
  it('is in the registry, with those that are built in once a server runs (A-305)', () => {
    expect(beforeBoot.map(({ id }) => id)).toEqual(['acme-web', 'acme-app'])
    const ids = getRegisteredProviders().map(({ id }) => id)
    expect(ids.toSorted()).toEqual([...SOCIAL_PROVIDERS].toSorted())
    expect(getOAuthProvider('acme-app')).toBe(app)
    expect(getOAuthProvider('apple')).toMatchObject({ id: 'apple' })
    expect(getOAuthProvider('nobody')).toBeNull()
  })

  it('takes the place of another with its id, built in or not (A-305)', async () => {
    const kakao = testProvider('kakao')
    expect(getOAuthProvider('kakao')).toBe(kakao.provider)
    const again = testProvider('kakao')
    expect(getOAuthProvider('kakao')).toBe(again.provider)
    expect(getRegisteredProviders().filter(({ id }) => id === 'kakao')).toEqual([again.provider])
    expect((await testBrowser(auth, again).signIn(somebody())).status).toBe(200)
  })

  it('signs browsers in by the callback that is built in, with no table for it (A-066, A-308)', async () => {
    const identity = somebody({ email: 'ada@acme.example' })
    const { status, body } = await testBrowser(auth, web).signIn(identity)
    expect([status, body]).toMatchObject([200, { email: 'ada@acme.example' }])
    expect(await linksOf(identity.providerUserId)).toMatchObject([
      { provider: 'acme-web', userId: body.userId },
    ])
    expect(await getProviderAccessToken('acme-web', body.userId)).toBe(
      web.secrets.findLast((secret) => secret.startsWith('access')),
    )
  })

  it('signs apps in that have an id token, if it can verify one (A-306)', async () => {
    const show = showingTo(auth)
    const [key, other] = [await createTestKey(), await createTestKey()]
    const idToken = `app-user ${key.registration.fingerprint}`
    expect(await show('acme-app', other, { idToken })).toMatchObject({
      status: 401,
      body: { error: { code: 'InvalidSocialTokenError' } },
    })
    expect(await show('acme-app', key, { idToken })).toMatchObject({
      status: 200,
      body: { keyId: key.keyId, isNewUser: true },
    })
    expect(await show('acme-web', key, { idToken })).toMatchObject({
      status: 400,
      body: { error: { code: 'NativeSignInUnsupportedError' } },
    })
    const { body } = await auth.call('providers')
    expect(body.providers).toContainEqual({ id: 'acme-app', web: false, native: true })
    expect(body.providers).toContainEqual({ id: 'acme-web', web: true, native: false })
  })

  it('takes a link away that it says has ended, if it can verify that (A-307)', async () => {
    const key = await createTestKey()
    const idToken = `leaving ${key.registration.fingerprint}`
    await showingTo(auth)('acme-app', key, { idToken })
    const notify = (provider: string, password: string) =>
      auth.fetch(`/_auth/oauth/${provider}/unlink-notify?user=leaving`, {
        headers: { 'x-acme': password },
      })
    expect((await notify('acme-app', 'guessed')).status).toBe(401)
    expect((await notify('acme-web', 'password')).status).toBe(404)
    expect(await linksOf('leaving')).toHaveLength(1)
    expect((await notify('acme-app', 'password')).status).toBe(202)
    expect(await linksOf('leaving')).toEqual([])
  })

  it('is named by the events (A-311)', async () => {
    const { body } = await testBrowser(auth, web).signIn(somebody())
    const own = () => told.filter(({ userId }) => userId === body.userId)
    await expect.poll(own).toEqual([
      { name: 'auth.register', userId: body.userId, provider: 'acme-web' },
      { name: 'auth.login', userId: body.userId, provider: 'acme-web' },
    ])
    expect(await auth.keysOf(body.userId)).toMatchObject([{ signedInBy: 'acme-web' }])
  })
})

describe('a callback of the application', () => {
  it('signs in within its transaction, and finalize does the rest (A-309)', async () => {
    const { body } = await comeBack({ user: 'grace', provider: 'acme-web' })
    expect(body).toMatchObject({ isNewUser: true })
    const { pendingToken, userId } = body
    const key = await createTestKey()
    const finished = await auth.call('finalize', { pendingToken, ...key.registration })
    expect(finished).toMatchObject({ status: 200, body: { userId, returnUrl: '/from-acme' } })
    expect((await auth.call('getAuthSession', undefined, key)).status).toBe(200)
    expect(await getProviderAccessToken('acme-web', userId)).toBe('access-of-grace')
    const again = await comeBack({ user: 'grace', provider: 'acme-web' })
    expect(again.body).toMatchObject({ isNewUser: false, userId })
  })

  it('leaves nothing when its transaction is rolled back (A-309)', async () => {
    alongside = () => {
      throw new Error('the application has failed')
    }
    const { status } = await comeBack({ user: 'alan', provider: 'acme-web' })
    alongside = () => {}
    expect(status).toBe(500)
    expect(await linksOf('alan')).toEqual([])
    expect(await db.$count(users, eq(users.email, 'alan@example.com'))).toBe(0)
  })

  it('is refused outside a transaction (A-309)', async () => {
    const links = await db.$count(socialAccounts)
    expect((await comeBack({}, '/acme/untransacted')).status).toBe(500)
    const said = auth.logged.map(({ err }) => (err as Error | undefined)?.message)
    expect(said).toContain('signInWithProvider needs a transaction.')
    expect(await db.$count(socialAccounts)).toBe(links)
  })

  it('links no account by an id that is not registered (A-310)', async () => {
    expect((await comeBack({ user: 'eve', provider: 'nobody' })).status).toBe(500)
    expect(await linksOf('eve')).toEqual([])
    expect(SOCIAL_PROVIDERS.has('nobody')).toBe(false)
  })
})

describe('an id', () => {
  it.each(['', 'A', 'acme app', '../google', 'acme/app', 'passkey', 'callback?', 'a'.repeat(33)])(
    'cannot be %j (A-310)',
    (id) => {
      expect(() => registerOAuthProvider({ ...app, id })).toThrow('cannot be the id of a provider')
      expect(SOCIAL_PROVIDERS.has(id)).toBe(false)
      expect(getOAuthProvider(id)).toBeNull()
    },
  )
})
