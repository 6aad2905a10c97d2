import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { issueLegacyToken } from '../authenticate/authenticate.ts'
import { deviceKeys } from '../keys/schema.ts'
import { passkeys } from '../passkeys/schema.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { bindingOf } from './testing/binding.ts'

const auth = await startTestAuth({
  env: { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(auth.stop)

const { clock } = auth
const { db } = auth.auth
const { enrol, boundUser, bind, unbind, askToUnbind, sign } = bindingOf(auth)

const hour = 3_600_000
const day = 24 * hour
const inMillis = (millis: number) => clock.now().getTime() + millis

const session = (key: TestKey) => auth.call('getAuthSession', undefined, key)
const bindingNow = async (key: TestKey) =>
  (await auth.call('getSessionBinding', undefined, key)).body

async function actsOn(target: string) {
  const rows = await db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.target, target))
    .orderBy(auditEvents.auditId)
  return rows.flatMap(({ act, outcome }) =>
    act.startsWith('session.') ? [`${act} ${outcome}`] : [],
  )
}

async function listed(key: TestKey) {
  const { keys } = (await auth.call('listKeys', {}, key)).body
  return new Map(keys.map((item: { keyId: string }) => [item.keyId, item]))
}

describe('setSessionBinding with passkey', () => {
  it('binds the key that signs: from then on it lives for a day (A-047, A-250, A-255, A-251)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    await enrol(user.key)
    const full = { mode: 'none', keyExpiresAtMillis: inMillis(90 * day) }
    expect(await bindingNow(user.key)).toEqual(full)
    clock.advance('1m')
    const bound = { mode: 'passkey', keyExpiresAtMillis: inMillis(day) }

    expect(await bind(user.key)).toMatchObject({ status: 200, body: bound })
    expect(await bindingNow(user.key)).toEqual(bound)
    expect(await bindingNow(other)).toEqual(full)
    expect(await actsOn(user.key.keyId)).toEqual(['session.bound done'])
  })

  it('is seen in the list of keys, and in no item of another key (A-037)', async () => {
    const user = await boundUser()
    const other = await auth.signIn(user)
    const keys = await listed(other)
    const expiresAtMillis = inMillis(day)
    expect(keys.get(user.key.keyId)).toMatchObject({ binding: 'passkey', expiresAtMillis })
    expect(keys.get(other.keyId)).not.toHaveProperty('binding')
  })

  it('lets the key sign until a second before its window ends, wherever it was copied to (A-255)', async () => {
    const { key } = await boundUser()
    const copy = { ...key }
    clock.advance(day - 1000)
    expect([(await session(key)).status, (await session(copy)).status]).toEqual([200, 200])
    clock.advance(1000)
    for (const each of [key, copy]) {
      expect(await session(each)).toMatchObject(refused(401, 'KeyExpiredError'))
    }
  })

  it('needs a passkey of this account', async () => {
    await boundUser()
    const { key } = await auth.signedInUser()
    expect(await bind(key)).toMatchObject(refused(404, 'PasskeyNotFoundError'))
    expect(await bindingNow(key)).toMatchObject({ mode: 'none' })
  })

  it('needs a sign-in of a moment ago, or the password', async () => {
    const { key, password } = await auth.signedInUser()
    await enrol(key)
    clock.advance('10m')
    expect(await bind(key)).toMatchObject(refused(403, 'RecentAuthenticationRequiredError'))
    expect(await bind(key, 'not the password')).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    expect(await bind(key, password)).toMatchObject({ status: 200 })
  })

  it('moves no window when the key is bound already', async () => {
    const { key } = await boundUser()
    const before = await bindingNow(key)
    clock.advance('1m')
    expect(await bind(key)).toMatchObject({ status: 200, body: before })
    expect(await bindingNow(key)).toEqual(before)
    expect(await actsOn(key.keyId)).toEqual(['session.bound done'])
  })

  it('makes no life longer', async () => {
    const { key, password } = await auth.signedInUser()
    await enrol(key)
    clock.advance(90 * day - hour)
    expect((await bind(key, password)).body.keyExpiresAtMillis).toBe(inMillis(hour))
  })

  it('is not for a caller without a device key', async () => {
    const { userId } = await auth.signedInUser()
    const headers = { authorization: `Bearer ${await issueLegacyToken(userId)}` }
    const asked = (name: 'setSessionBinding' | 'sessionBindingDisableOptions', body: object) =>
      auth.call(name, body, undefined, { headers })
    expect(await asked('setSessionBinding', { mode: 'passkey' })).toMatchObject({ status: 403 })
    expect(await asked('sessionBindingDisableOptions', {})).toMatchObject({ status: 403 })
  })
})

describe('a bound key', () => {
  it('hands what is left of its window to the key that it rotates to (A-256)', async () => {
    const { key } = await boundUser()
    const window = await bindingNow(key)
    clock.advance(day - 1000)
    const next = await createTestKey()
    const rotated = await auth.call('rotateKey', next.registration, key)

    expect(rotated.body.expiresAtMillis).toBe(window.keyExpiresAtMillis)
    expect(await bindingNow(next)).toEqual(window)
    clock.advance(1000)
    expect(await session(next)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('keeps its window where its owner signs in with it again, over or not (A-256)', async () => {
    const { key, email, password } = await boundUser()
    const again = () => auth.call('login', { email, password, ...key.registration })
    const window = await bindingNow(key)
    clock.advance(hour)
    expect((await again()).status).toBe(200)
    expect(await bindingNow(key)).toEqual(window)
    clock.advance(day)
    expect((await again()).status).toBe(200)
    expect(await session(key)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('is not bound any longer by signing in with another', async () => {
    const user = await boundUser()
    clock.advance(day)
    const other = await auth.signIn(user)
    expect(await bindingNow(other)).toMatchObject({ mode: 'none' })
  })
})

describe('setSessionBinding with none', () => {
  it('gives the key the life of one that was never bound, for a passkey’s signature (A-047, A-252)', async () => {
    const signedInAt = clock.now().getTime()
    const { key, authenticator } = await boundUser()
    clock.advance(hour)
    const response = authenticator.sign(await askToUnbind(key))
    const free = { mode: 'none', keyExpiresAtMillis: signedInAt + 90 * day }

    expect(await unbind(key, response)).toMatchObject({ status: 200, body: free })
    expect(await bindingNow(key)).toEqual(free)
    expect((await listed(key)).get(key.keyId)).not.toHaveProperty('binding')
    expect(await actsOn(key.keyId)).toEqual(['session.bound done', 'session.unbound done'])
  })

  it('is refused without that proof (A-252)', async () => {
    const { key } = await boundUser()
    const window = await bindingNow(key)
    expect(await unbind(key)).toMatchObject(refused(401, 'PasskeyChallengeError'))
    expect(await bindingNow(key)).toEqual(window)
    expect(await actsOn(key.keyId)).toContain('session.unbound refused')
  })

  it('is refused with another user’s passkey, and with a signature that is none', async () => {
    const { key, authenticator } = await boundUser()
    const stranger = await boundUser()
    const tries = [
      stranger.authenticator.sign({ ...(await askToUnbind(key)), allowCredentials: [] }),
      authenticator.sign(await askToUnbind(key), { origin: 'http://evil.localhost:3790' }),
      authenticator.sign(await askToUnbind(key), { counter: 1 }),
    ]
    for (const response of tries) {
      expect(await unbind(key, response)).toMatchObject(refused(401, 'PasskeyVerificationError'))
    }
    expect(await bindingNow(key)).toMatchObject({ mode: 'passkey' })
  })

  it('is refused with a clone of the passkey', async () => {
    const { key, authenticator } = await boundUser()
    const clone = authenticator.clone()
    expect((await unbind(key, authenticator.sign(await askToUnbind(key)))).status).toBe(200)
    expect((await bind(key)).status).toBe(200)
    expect(await unbind(key, clone.sign(await askToUnbind(key)))).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
  })

  it('takes the answer to its own question only, from the key that asked, and once (A-252)', async () => {
    const { key, authenticator, ...user } = await boundUser()
    const other = await auth.signIn(user)
    const response = authenticator.sign(await askToUnbind(key))
    const tries = [
      authenticator.sign(await askToUnbind(other)),
      await sign(key, authenticator),
      authenticator.sign((await auth.call('passkeyLoginOptions', {})).body),
    ]
    for (const each of tries) {
      expect(await unbind(key, each)).toMatchObject(refused(401, 'PasskeyChallengeError'))
    }
    clock.advance('5m')
    expect(await unbind(key, response)).toMatchObject(refused(401, 'PasskeyChallengeError'))
    const spent = authenticator.sign(await askToUnbind(key))
    expect((await unbind(key, spent)).status).toBe(200)
    expect((await bind(key)).status).toBe(200)
    expect(await unbind(key, spent)).toMatchObject(refused(401, 'PasskeyChallengeError'))
  })

  it('succeeds for a key that is not bound, and moves nothing', async () => {
    const { key } = await auth.signedInUser()
    const before = await bindingNow(key)
    clock.advance('1m')
    expect(await unbind(key)).toMatchObject({ status: 200, body: before })
    expect(await actsOn(key.keyId)).toEqual([])
  })

  it('is too late for a key that has run out', async () => {
    const { key, authenticator } = await boundUser()
    clock.advance(day - 1000)
    const response = authenticator.sign(await askToUnbind(key))
    clock.advance(1000)
    expect(await unbind(key, response)).toMatchObject(refused(401, 'KeyExpiredError'))
  })

  it('leaves its end to a key that has lived for longer than a key does', async () => {
    const { key, email, password, authenticator } = await boundUser()
    const madeAt = new Date(clock.now().getTime() - 90 * day)
    await db.update(deviceKeys).set({ createdAt: madeAt }).where(eq(deviceKeys.keyId, key.keyId))
    const before = await bindingNow(key)
    const { body } = await unbind(key, authenticator.sign(await askToUnbind(key)))
    expect(body).toEqual({ ...before, mode: 'none' })
    expect((await auth.call('login', { email, password, ...key.registration })).status).toBe(200)
  })
})

describe('sessionBindingDisableOptions', () => {
  it('asks for a passkey of the account (A-252)', async () => {
    const { key } = await boundUser(createTestAuthenticator({ counter: 'zero' }))
    const options = await askToUnbind(key)
    const { passkeys: own } = (await auth.call('listPasskeys', {}, key)).body
    expect(own).toHaveLength(1)
    expect(options).toMatchObject({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      allowCredentials: [{ type: 'public-key', transports: ['hybrid', 'internal'] }],
    })
  })

  it('says where there is none any more: sign in again', async () => {
    const { key, userId } = await boundUser()
    await db.delete(passkeys).where(eq(passkeys.userId, userId))
    expect(await auth.call('sessionBindingDisableOptions', {}, key)).toMatchObject(
      refused(404, 'PasskeyNotFoundError'),
    )
  })
})

describe('the limits of session binding', () => {
  it('are ten changes a minute of an account, and ten renewals from an address (A-373)', async () => {
    const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
    const { key } = await limited.signedInUser()
    const statuses: number[] = []
    for (let at = 0; at < 11; at += 1) {
      const name = at % 2 === 0 ? 'setSessionBinding' : 'sessionBindingDisableOptions'
      statuses.push((await limited.call(name, { mode: 'none' }, key)).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 5 }, () => [200, 404]).flat(), 429])

    const renewing = bindingOf(limited)
    const user = await renewing.boundUser()
    const response = await renewing.sign(user.key, user.authenticator)
    for (let at = 0; at < 9; at += 1) {
      expect((await renewing.askToRenew(user.key)).status).toBe(401)
    }
    expect((await renewing.askToRenew(user.key)).status).toBe(429)
    expect((await renewing.renew(user.key, { response })).status).toBe(429)
    limited.clock.advance('1m')
    expect((await renewing.renew(user.key, { response })).status).toBe(200)
    await limited.stop()
  })
})
