import { ServiceUnavailableError } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { configureAuth } from '../configure-auth.ts'
import { deviceRegisteredEvent, keyRevokedEvent, loginEvent } from '../events.ts'
import { deviceKeys } from '../keys/schema.ts'
import { activatePending } from '../keys/store.ts'
import { passkeys } from '../passkeys/schema.ts'
import { streamingApplication } from '../streams/test-application.ts'
import { openStream, streamToken } from '../streams/test-stream.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { type BoundUser, bindingOf } from './testing/binding.ts'

const auth = await startTestAuth({
  definition: streamingApplication(),
  env: { SVC_AUTH_BOUND_KEY_TTL_HOURS: '2', SVC_AUTH_BOUND_KEY_RENEW_GRACE_HOURS: '3' },
})
afterAll(() => auth.stop())

const { clock } = auth
const { db } = auth.auth
const { boundUser, expiredUser, askToRenew, sign, renew } = bindingOf(auth)

const hour = 3_600_000
const [ttl, grace] = [2 * hour, 3 * hour]

const over = refused(401, 'SessionRenewalRefusedError')

const session = (key: TestKey) => auth.call('getAuthSession', undefined, key)

async function rowOf({ userId }: { userId: string }, { keyId }: { keyId: string }) {
  return (await auth.keysOf(userId)).find((row) => row.keyId === keyId)
}

async function setUser({ userId }: BoundUser, values: Partial<typeof users.$inferInsert>) {
  await db.update(users).set(values).where(eq(users.userId, userId))
}

/** The mails to an account, waiting or sent. */
async function noticesTo(userId: string) {
  const { rows } = await db.execute(
    sql`select from svc_jobs.job where name = 'auth.notice' and data->'input'->>'userId' = ${userId}`,
  )
  return rows.length
}

const told: [string, Record<string, unknown>][] = []
for (const event of [loginEvent, deviceRegisteredEvent, keyRevokedEvent]) {
  event.subscribe((payload: Record<string, unknown>) => void told.push([event.name, payload]))
}

describe('a renewal', () => {
  it('begins with the challenge for a passkey of the account (A-253)', async () => {
    const { key } = await expiredUser()
    expect(await askToRenew(key, key)).toMatchObject({
      status: 200,
      body: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        allowCredentials: [{ type: 'public-key' }],
      },
    })
  })

  it('leaves what the key has let in with its successor, and that with the key that let it in (decision 16)', async () => {
    const user = await expiredUser()
    const { userId, email, password, key } = user
    const [phone, tv, next] = [
      await auth.signIn({ email, password }),
      await auth.signIn({ email, password }),
      await createTestKey(),
    ]
    for (const [made, by] of [
      [key, phone],
      [tv, key],
    ] as const) {
      const madeBy = { madeByKeyId: by.keyId }
      await db.update(deviceKeys).set(madeBy).where(eq(deviceKeys.keyId, made.keyId))
    }
    expect(await renew(key, { next, response: await user.response() })).toMatchObject({
      status: 200,
    })
    expect(await rowOf({ userId }, next)).toMatchObject({ madeByKeyId: phone.keyId })
    expect(await rowOf({ userId }, tv)).toMatchObject({ madeByKeyId: next.keyId })
  })

  it('answers as a login does, with the id of a new key that is bound again (A-254, A-256)', async () => {
    const user = await expiredUser()
    const { key, userId, publicId, email } = user
    const next = await createTestKey()
    expect(await session(key)).toMatchObject(refused(401, 'KeyExpiredError'))
    const answer = await renew(key, { next, response: await user.response() })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      mfaRequired: false,
      knownBrowser: expect.any(String),
      userId,
      publicId,
      email,
      passwordChangeRequired: false,
      keyId: next.keyId,
    })
    const keyExpiresAtMillis = clock.now().getTime() + ttl
    const { body } = await auth.call('getSessionBinding', undefined, next)
    expect(body).toEqual({ mode: 'passkey', keyExpiresAtMillis })
    expect(await session(key)).toMatchObject(refused(401, 'UnauthorizedError'))
    const ended = { state: 'revoked', revokedReason: 'renewed', revokedAt: clock.now() }
    expect(await rowOf(user, key)).toMatchObject(ended)
    const signIn = { signedInBy: 'passkey', signedInAt: clock.now(), unusedSeconds: null }
    expect(await rowOf(user, next)).toMatchObject(signIn)
  })

  it('is told to the application, and sends no mail', async () => {
    const user = await expiredUser()
    const { userId, key } = user
    const next = await createTestKey()
    const before = await noticesTo(userId)
    await renew(key, { next, response: await user.response() })
    const own = told.filter(([, payload]) => payload.userId === userId).slice(-3)
    expect(own).toEqual(
      expect.arrayContaining([
        ['auth.key.revoked', { userId, keyIds: [key.keyId], reason: 'renewed' }],
        ['auth.device.registered', expect.objectContaining({ channel: 'sessionRenewVerify' })],
        ['auth.login', expect.objectContaining({ keyId: next.keyId, provider: 'passkey' })],
      ]),
    )
    expect(await noticesTo(userId)).toBe(before)
    expect(before).toBeGreaterThan(0)
  })

  it('is in the audit trail, and so is one that is refused', async () => {
    const user = await expiredUser()
    const { userId, key } = user
    const next = await createTestKey()
    await renew(key, { response: { ...(await user.response()), id: 'bm9uZQ' } })
    await renew(key, { next, response: await user.response() })
    const ofKey = eq(auditEvents.keyId, key.keyId)
    const rows = await db.select().from(auditEvents).where(ofKey).orderBy(auditEvents.auditId)
    const own = rows.filter(({ act }) => act === 'session.renewed')
    const proof = expect.stringMatching(/^ey/)
    const details = { successor: next.keyId }
    expect(own).toMatchObject([
      { outcome: 'refused', actor: null, target: userId, proof },
      { outcome: 'done', actor: userId, target: key.keyId, details, proof },
    ])
  })

  it('keeps the label of the device that sends none', async () => {
    const user = await expiredUser()
    await db
      .update(deviceKeys)
      .set({ deviceName: 'Kitchen', platform: 'web' })
      .where(eq(deviceKeys.keyId, user.key.keyId))
    const next = await createTestKey()
    await renew(user.key, { next, response: await user.response() })
    expect(await rowOf(user, next)).toMatchObject({ deviceName: 'Kitchen', platform: 'web' })
  })

  it('counts as signing in a moment ago', async () => {
    const user = await expiredUser()
    const next = await createTestKey()
    await renew(user.key, { next, response: await user.response() })
    expect((await auth.call('passkeyRegisterOptions', {}, next)).status).toBe(200)
  })

  it.each([
    ['before the key has run out', ttl - hour],
    ['until a second before the grace is over', ttl + grace - 1000],
  ])('is possible %s (A-257)', async (_, after) => {
    const { key, authenticator } = await boundUser()
    clock.advance(after)
    const response = await sign(key, authenticator)
    expect((await renew(key, { response })).status).toBe(200)
  })

  it('is refused from the end of the grace on (A-257)', async () => {
    const { key, authenticator } = await boundUser()
    clock.advance(ttl + grace - 1000)
    const response = await sign(key, authenticator)
    clock.advance(1000)
    expect(await renew(key, { response })).toMatchObject(over)
    expect(await askToRenew(key, key)).toMatchObject(over)
  })

  it('makes no key of one that cannot be the account’s, and leaves the session to be renewed', async () => {
    const user = await expiredUser()
    const taken = await auth.signedInUser()
    for (const next of [user.key, taken.key]) {
      const answer = await renew(user.key, { next, response: await user.response() })
      expect(answer).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    }
    expect((await renew(user.key, { response: await user.response() })).status).toBe(200)
  })

  it('is not done twice, by the old key or again with the new one (A-256)', async () => {
    const user = await expiredUser()
    const next = await createTestKey()
    const response = await user.response()
    const again = await user.response()
    expect((await renew(user.key, { next, response })).status).toBe(200)
    for (const each of [response, again]) {
      expect(await renew(user.key, { next, response: each })).toMatchObject(over)
    }
    expect((await session(next)).status).toBe(200)
  })

  it('does not wait for a password that has to be changed', async () => {
    const user = await expiredUser()
    await setUser(user, { passwordChangeRequired: true })
    configureAuth({ enforcePasswordChange: true })
    const answer = await renew(user.key, { response: await user.response() })
    expect(answer).toMatchObject({ status: 200, body: { passwordChangeRequired: true } })
  })
  afterEach(() => configureAuth({ enforcePasswordChange: false }))

  it('says nothing of a key while something is down', async () => {
    const { key } = await expiredUser()
    vi.spyOn(auth.auth, 'callers').mockRejectedValueOnce(new ServiceUnavailableError())
    expect((await askToRenew(key, key)).status).toBe(503)
  })
})

describe('a renewal where the account has a second factor', () => {
  async function enrolled(hasUserVerification: boolean) {
    const user = await expiredUser(createTestAuthenticator({ hasUserVerification }))
    await setUser(user, { secondFactorSince: clock.now() })
    return user
  }

  it('owes it, where the passkey is neither checked nor marked: the new key waits within its window', async () => {
    const user = await enrolled(false)
    const next = await createTestKey()
    const answer = await renew(user.key, { next, response: await user.response() })
    const window = { binding: 'passkey', expiresAt: new Date(clock.now().getTime() + ttl) }

    expect(answer).toMatchObject({ status: 202, body: { mfaRequired: true, keyId: next.keyId } })
    expect(answer.body.challenge).toEqual({
      secret: expect.any(String),
      expiresAtMillis: expect.any(Number),
    })
    expect((await session(next)).status).toBe(401)
    expect((await askToRenew(next, next)).status).toBe(401)
    expect(await rowOf(user, next)).toMatchObject({ state: 'pending', ...window })
    clock.advance('1m')
    const key = { keyId: next.keyId, userId: user.userId, knownId: null, now: clock.now() }
    await db.transaction((tx) => activatePending(tx, key))
    expect(await rowOf(user, next)).toMatchObject({ state: 'active', ...window })
    expect((await session(next)).status).toBe(200)
  })

  it('leaves a key that ends with the one before it, while it waits', async () => {
    const user = await enrolled(false)
    const { email, password } = user
    await setUser(user, { secondFactorSince: null })
    const other = await auth.signIn({ email, password })
    await setUser(user, { secondFactorSince: clock.now() })
    const next = await createTestKey()
    await renew(user.key, { next, response: await user.response() })

    const answer = await auth.call('revokeKey', { keyId: user.key.keyId }, other)
    expect(answer).toMatchObject({ status: 200, body: { selfRevoked: false } })
    expect(await rowOf(user, next)).toMatchObject({ state: 'deleted', revokedReason: 'revoked' })
  })

  it('is done where the passkey has checked its user', async () => {
    const user = await enrolled(true)
    const next = await createTestKey()
    const answer = await renew(user.key, { next, response: await user.response() })
    expect(answer.status).toBe(200)
    expect(await rowOf(user, next)).toMatchObject({ secondFactorProvedAt: null })
  })

  it('is done, and proves it, where the passkey is marked as the factor', async () => {
    const user = await enrolled(false)
    await db.update(passkeys).set({ secondFactor: true }).where(eq(passkeys.userId, user.userId))
    const next = await createTestKey()
    const answer = await renew(user.key, { next, response: await user.response() })
    expect(answer.status).toBe(200)
    expect(await rowOf(user, next)).toMatchObject({ secondFactorProvedAt: clock.now() })
  })
})

describe('a stream of a bound key', () => {
  const open = async (key: TestKey) =>
    openStream(auth.url, await streamToken(auth.url, auth.signerOf(key)))

  it('ends with its window, at the next look at open streams', async () => {
    const { key } = await boundUser()
    const stream = await open(key)
    clock.advance(ttl - 1000)
    auth.infrastructure.streams.recheck()
    clock.advance(1000)
    auth.infrastructure.streams.recheck()
    await stream.ended
  })

  it('ends with a renewal', async () => {
    const { key, authenticator } = await boundUser()
    const stream = await open(key)
    expect((await renew(key, { response: await sign(key, authenticator) })).status).toBe(200)
    await stream.ended
  })
})
