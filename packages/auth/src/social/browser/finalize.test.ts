import { directRequest } from '@svc/core/client'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { forgetExpired } from '../../forget-expired.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { routeMap } from '../../route-map.generated.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { done, refused } from '../../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey } from '../../testing.ts'
import { oauthPending } from './schema.ts'
import { testBrowser } from './testing/test-browser.ts'
import { somebody, testProvider } from './testing/test-provider.ts'

const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { db } = auth.auth
const provider = testProvider('oauth-finalize')
const browser = () => testBrowser(auth, provider)
const noPending = refused(401, 'OAuthPendingSessionError')

async function arrived(identity = somebody(), leaving: { key?: TestKey } = {}) {
  const visitor = browser()
  await visitor.leave(leaving)
  const { failure } = await visitor.arrive(identity)
  expect(failure).toBe(null)
  return visitor
}

async function arrivedWithoutKey(identity = somebody()) {
  const visitor = browser()
  await visitor.follow()
  const { failure } = await visitor.arrive(identity)
  expect(failure).toBe(null)
  return visitor
}

const pendingToken = ({ cookies }: ReturnType<typeof browser>) =>
  cookies.get('svc_oauth_pending') as string
const userOf = async (visitor: ReturnType<typeof browser>) =>
  (await done(auth.call('getAuthSession', undefined, visitor.key))).userId as string
const pendingOf = (keyId: string) =>
  db.select().from(oauthPending).where(eq(oauthPending.keyId, keyId))

describe('finalize', () => {
  it('signs in with the key that was sent ahead, and registers it (A-262)', async () => {
    const identity = somebody({ email: 'ada@example.com' })
    const visitor = await arrived(identity)
    const { keyId } = visitor.key
    expect(await auth.call('getAuthSession', undefined, visitor.key)).toMatchObject({ status: 401 })
    const answer = await visitor.finalize()
    expect(answer).toMatchObject({
      status: 200,
      body: { mfaRequired: false, email: 'ada@example.com', keyId, returnUrl: '/next' },
    })
    const { userId } = answer.body
    expect(await userOf(visitor)).toBe(userId)
    const again = browser()
    expect(await again.signIn(identity)).toMatchObject({ status: 200, body: { userId } })
  })

  it('signs in a device whose name no database takes', async () => {
    const key = await createTestKey()
    const registration = { ...key.registration, deviceName: 'a\u0000b' }
    const visitor = await arrived(somebody(), { key: { ...key, registration } })
    expect(await visitor.finalize()).toMatchObject({ status: 200 })
  })

  it('signs in with the cookie, and a key that is given now, where the browser went without one', async () => {
    const visitor = await arrivedWithoutKey()
    const key = await createTestKey()
    const answer = await visitor.finalize({ ...key.registration, returnUrl: '/elsewhere' })
    expect(answer).toMatchObject({
      status: 200,
      body: { keyId: key.keyId, returnUrl: '/elsewhere' },
    })
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 200 })
  })

  it('takes what was in the cookie in the body too, for a proxy that keeps cookies to itself', async () => {
    const visitor = await arrivedWithoutKey()
    const token = pendingToken(visitor)
    visitor.cookies.clear()
    expect(await visitor.finalize({ pendingToken: token })).toMatchObject({ status: 200 })
  })

  it('leads to no other site, and leaves a waiting user where they are', async () => {
    const visitor = await arrived()
    for (const returnUrl of ['//evil.example', 'https://evil.example/', '/\\evil', '/%2f/a', '']) {
      expect(await visitor.finalize({ returnUrl })).toMatchObject(refused(400, 'ValidationError'))
    }
    expect(await visitor.finalize({ returnUrl: '/fine' })).toMatchObject({
      status: 200,
      body: { returnUrl: '/fine' },
    })
  })
})

describe('a sign-in that waits to be finalized', () => {
  it('is finalized once', async () => {
    const visitor = await arrived()
    expect(await visitor.finalize()).toMatchObject({ status: 200 })
    expect(await visitor.finalize()).toMatchObject(noPending)
    const keyless = await arrivedWithoutKey()
    expect(await keyless.finalize()).toMatchObject({ status: 200 })
    expect(await keyless.finalize()).toMatchObject(noPending)
  })

  it('waits for five minutes, and not a millisecond more', async () => {
    const [first, second, third] = [await arrived(), await arrived(), await arrivedWithoutKey()]
    auth.clock.advance(5 * 60_000 - 1)
    expect(await first.finalize()).toMatchObject({ status: 200 })
    auth.clock.advance(1)
    expect(await second.finalize()).toMatchObject(noPending)
    expect(await third.finalize()).toMatchObject(noPending)
  })

  it('is unknown to another browser, with any key or cookie of its own', async () => {
    const victim = await arrivedWithoutKey()
    const stranger = browser()
    expect(await stranger.finalize()).toMatchObject(noPending)
    stranger.cookies.set('svc_oauth_pending', 'a'.repeat(43))
    expect(await stranger.finalize()).toMatchObject(noPending)
    const own = await arrived()
    expect(await own.finalize()).toMatchObject({ status: 200 })
    expect(await victim.finalize()).toMatchObject({ status: 200 })
  })

  it('is unknown to an attacker who has read the id of the key that was sent ahead', async () => {
    const victim = await arrived()
    const { keyId } = victim.key
    const stranger = await createTestKey()
    const forged = { ...stranger, keyId }
    expect(await auth.call('finalize', {}, forged)).toMatchObject(noPending)
    expect(await auth.call('finalize', {})).toMatchObject(noPending)
    expect(await auth.call('finalize', {}, stranger)).toMatchObject(noPending)
    const given = { ...stranger.registration, keyId }
    expect(await auth.call('finalize', { ...given, pendingToken: keyId })).toMatchObject(noPending)
    expect(await auth.call('finalize', given, forged)).toMatchObject(noPending)
    expect(await victim.finalize()).toMatchObject({ status: 200 })
  })

  it('finishes with that key alone, not with the hash’s other form', async () => {
    const victim = await arrived()
    const { registration } = await createTestKey()
    for (const pending of [`key ${victim.key.keyId}`, victim.key.keyId]) {
      const answer = await auth.call('finalize', { ...registration, pendingToken: pending })
      expect(answer, pending).toMatchObject(noPending)
    }
    const keyless = await arrivedWithoutKey()
    const named = { ...(await createTestKey()), keyId: pendingToken(keyless) }
    expect(await auth.call('finalize', {}, named)).toMatchObject(noPending)
    expect(await keyless.finalize()).toMatchObject({ status: 200 })
  })

  it('is signed for this request, once: what was signed for another is no signature', async () => {
    const visitor = await arrived()
    const { keyId, algorithm, privateKey } = visitor.key
    const sign = auth.signerOf({ keyId, algorithm, privateKey })
    const finalize = directRequest(auth.url, { ...routeMap.finalize, input: { body: {} } })
    const send = async (body: string, headers: Record<string, string>) =>
      (
        await fetch(finalize.url, {
          method: 'POST',
          body,
          headers: { ...finalize.headers, ...headers },
        })
      ).status
    const logout = directRequest(auth.url, { ...routeMap.logout, input: {} })
    expect(await send('{}', await sign({ ...logout, body: '' }))).toBe(401)
    expect(await send('{"returnUrl":"/a"}', await sign({ ...finalize, body: '{}' }))).toBe(401)
    const old = await sign({ ...finalize, body: '{}' })
    auth.clock.advance('4m')
    expect(await send('{}', old)).toBe(401)
    expect(await send('{}', await sign({ ...finalize, body: '{}' }))).toBe(200)
  })

  it('is no way in after signing out everywhere, a suspension or a request for deletion', async () => {
    const identity = somebody({ email: 'grace@example.com' })
    const owner = browser()
    await owner.signIn(identity)
    const waiting = await arrived(identity)
    const keyless = await arrivedWithoutKey(identity)
    expect(await auth.call('revokeAllKeys', {}, owner.key)).toMatchObject({ status: 200 })
    const invalid = refused(401, 'InvalidCredentialsError')
    expect(await waiting.finalize()).toMatchObject(invalid)
    expect(await keyless.finalize()).toMatchObject(invalid)

    await owner.signIn(identity)
    const userId = await userOf(owner)
    const later = await arrived(identity)
    await suspendUser(userId)
    expect(await later.finalize()).toMatchObject(invalid)
    const active = (await auth.keysOf(userId)).filter(({ state }) => state === 'active')
    expect(active).toEqual([])
  })

  it('is not another account’s, planted with the id of the victim’s key', async () => {
    const key = await createTestKey()
    const attackers = { ...(await createTestKey()), keyId: key.keyId }
    attackers.registration = { ...attackers.registration, keyId: key.keyId }
    const attacker = await arrived(somebody(), { key: attackers })

    const victim = browser()
    await victim.leave({ key })
    expect((await victim.arrive(somebody())).failure).toBe('state_invalid')
    expect(await victim.finalize()).toMatchObject(noPending)
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
    expect(await attacker.finalize()).toMatchObject({ status: 200 })
  })

  it('makes room for a user with that key when the time is over', async () => {
    const key = await createTestKey()
    const attackers = { ...(await createTestKey()), keyId: key.keyId }
    attackers.registration = { ...attackers.registration, keyId: key.keyId }
    await arrived(somebody(), { key: attackers })
    auth.clock.advance('5m')
    const victim = await arrived(somebody(), { key })
    expect(await victim.finalize()).toMatchObject({ status: 200 })
  })

  it('may come again with the same key before it has finished, as the same account', async () => {
    const identity = somebody()
    const key = await createTestKey()
    await arrived(identity, { key })
    const again = await arrived(identity, { key })
    expect(await pendingOf(key.keyId)).toHaveLength(1)
    expect(await again.finalize()).toMatchObject({ status: 200 })
    expect(await again.finalize()).toMatchObject(noPending)
  })

  it('cannot take the key of another account', async () => {
    const { key, userId } = await auth.signedInUser()
    const thief = await arrived(somebody(), { key })
    expect(await thief.finalize()).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    expect(await userOf(thief)).toBe(userId)
  })

  it('is forgotten by the sweep when the time is over', async () => {
    const { keyId: old } = (await arrived()).key
    auth.clock.advance('5m')
    const { keyId: recent } = (await arrived()).key
    await forgetExpired.enqueue()
    await vi.waitFor(async () => expect(await pendingOf(old)).toEqual([]), { timeout: 10_000 })
    expect(await pendingOf(recent)).toHaveLength(1)
  })
})

describe('odd input', () => {
  it.each<[string, object]>([
    ['half a key', { keyId: 'a-key-of-mine-1' }],
    ['a list for a token', { pendingToken: ['a'] }],
    ['a token of 10 kB', { pendingToken: 'a'.repeat(10_000) }],
    ['an object for a page', { returnUrl: { toString: 'a' } }],
  ])('%s is refused', async (_, body) => {
    const visitor = await arrivedWithoutKey()
    const answer = await auth.call('finalize', body, undefined, {
      headers: { cookie: `svc_oauth_pending=${pendingToken(visitor)}` },
    })
    expect(answer).toMatchObject(refused(400, 'ValidationError'))
    expect(await visitor.finalize()).toMatchObject({ status: 200 })
  })
})
