import { ServiceUnavailableError } from '@svc/core'
import { eq } from 'drizzle-orm'
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
import { createTestKey, startTestAuth, type TestAnswer, type TestKey } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/test-authenticator.ts'
import { type BoundUser, bindingOf, refusedBy } from './test-binding.ts'

const auth = await startTestAuth({
  definition: streamingApplication(),
  env: { SVC_AUTH_BOUND_KEY_TTL_HOURS: '2', SVC_AUTH_BOUND_KEY_RENEW_GRACE_HOURS: '3' },
})
afterAll(() => auth.stop())

const { clock } = auth
const { db } = auth.auth
const { boundUser, askToRenew, askToUnbind, unbind, sign, renew } = bindingOf(auth)

const hour = 3_600_000
const [ttl, grace] = [2 * hour, 3 * hour]

const session = (key: TestKey) => auth.call('getAuthSession', undefined, key)

/** A session that has just run out, and what renews it. */
async function expired(authenticator = createTestAuthenticator()) {
  const user = await boundUser(authenticator)
  clock.advance(ttl)
  return { ...user, response: () => sign(user.key, authenticator) }
}

async function rowOf({ userId }: { userId: string }, { keyId }: { keyId: string }) {
  return (await auth.keysOf(userId)).find((row) => row.keyId === keyId)
}

async function setUser({ userId }: BoundUser, values: Partial<typeof users.$inferInsert>) {
  await db.update(users).set(values).where(eq(users.userId, userId))
}

/** Of an answer, what must be the same in every refusal. */
function said({ status, body, headers }: TestAnswer) {
  const { requestId: _, ...error } = body.error
  return { status, ...body, error, challenge: headers.get('www-authenticate') }
}

const told: [string, Record<string, unknown>][] = []
for (const event of [loginEvent, deviceRegisteredEvent, keyRevokedEvent]) {
  event.subscribe((payload: Record<string, unknown>) => void told.push([event.name, payload]))
}

describe('a renewal', () => {
  it('begins with the challenge for a passkey of the account (A-253)', async () => {
    const { key } = await expired()
    expect(await askToRenew(key, key)).toMatchObject({
      status: 200,
      body: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        allowCredentials: [{ type: 'public-key' }],
      },
    })
  })

  it('answers as a login does, with the id of a new key that is bound anew (A-254, A-256)', async () => {
    const user = await expired()
    const { key, userId, publicId, email } = user
    const next = await createTestKey()
    expect(await session(key)).toMatchObject(refusedBy('KeyExpiredError', 401))
    const answer = await renew(key, { next, response: await user.response() })

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      mfaRequired: false,
      userId,
      publicId,
      email,
      passwordChangeRequired: false,
      keyId: next.keyId,
    })
    const keyExpiresAtMillis = clock.now().getTime() + ttl
    const { body } = await auth.call('getSessionBinding', undefined, next)
    expect(body).toEqual({ mode: 'passkey', keyExpiresAtMillis })
    expect(await session(key)).toMatchObject(refusedBy('UnauthorizedError', 401))
    const ended = { state: 'revoked', revokedReason: 'renewed', revokedAt: clock.now() }
    expect(await rowOf(user, key)).toMatchObject(ended)
  })

  it('is told to the application, and to nobody by mail', async () => {
    const user = await expired()
    const { userId, key, email } = user
    const next = await createTestKey()
    await renew(key, { next, response: await user.response() })
    const own = told.filter(([, payload]) => payload.userId === userId).slice(-3)
    expect(own).toEqual(
      expect.arrayContaining([
        ['auth.key.revoked', { userId, keyIds: [key.keyId], reason: 'renewed' }],
        ['auth.device.registered', expect.objectContaining({ channel: 'sessionRenewVerify' })],
        ['auth.login', expect.objectContaining({ keyId: next.keyId, provider: 'passkey' })],
      ]),
    )
    const mailed = (await auth.messagesTo(email)).map(({ template }) => template)
    expect(mailed.filter((template) => template === 'new-device')).toHaveLength(1)
  })

  it('is in the audit trail, and so is one that is refused', async () => {
    const user = await expired()
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
    const user = await expired()
    await db
      .update(deviceKeys)
      .set({ deviceName: 'Kitchen', platform: 'web' })
      .where(eq(deviceKeys.keyId, user.key.keyId))
    const next = await createTestKey()
    await renew(user.key, { next, response: await user.response() })
    expect(await rowOf(user, next)).toMatchObject({ deviceName: 'Kitchen', platform: 'web' })
  })

  it('counts as signing in a moment ago', async () => {
    const user = await expired()
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
    const refused = refusedBy('SessionRenewalRefusedError', 401)
    expect(await renew(key, { response })).toMatchObject(refused)
    expect(await askToRenew(key, key)).toMatchObject(refused)
  })

  it('makes no key of one that cannot be the account’s, and leaves the session to be renewed', async () => {
    const user = await expired()
    const taken = await auth.signedInUser()
    for (const next of [user.key, taken.key]) {
      const answer = await renew(user.key, { next, response: await user.response() })
      expect(answer).toMatchObject(refusedBy('KeyIdAlreadyRegisteredError', 409))
    }
    expect((await renew(user.key, { response: await user.response() })).status).toBe(200)
  })

  it('is not done twice, by the old key or again with the new one (A-256)', async () => {
    const user = await expired()
    const next = await createTestKey()
    const response = await user.response()
    const again = await user.response()
    expect((await renew(user.key, { next, response })).status).toBe(200)
    for (const each of [response, again]) {
      const refused = refusedBy('SessionRenewalRefusedError', 401)
      expect(await renew(user.key, { next, response: each })).toMatchObject(refused)
    }
    expect((await session(next)).status).toBe(200)
  })

  it('does not wait for a password that has to be changed', async () => {
    const user = await expired()
    await setUser(user, { passwordChangeRequired: true })
    configureAuth({ enforcePasswordChange: true })
    const answer = await renew(user.key, { response: await user.response() })
    expect(answer).toMatchObject({ status: 200, body: { passwordChangeRequired: true } })
  })
  afterEach(() => configureAuth({ enforcePasswordChange: false }))

  it('says nothing of a key while something is down', async () => {
    const { key } = await expired()
    vi.spyOn(auth.auth, 'callers').mockRejectedValueOnce(new ServiceUnavailableError())
    expect((await askToRenew(key, key)).status).toBe(503)
  })
})

describe('one refusal is what is answered', () => {
  const refused = refusedBy('SessionRenewalRefusedError', 401)

  it('to whatever is wrong with a renewal: no options tell of a key (A-257)', async () => {
    const [user, stranger] = [await expired(), await expired()]
    const { key } = user
    const [unknown, free] = [await createTestKey(), (await auth.signedInUser()).key]
    const signs = async () => ({ response: await user.response() })
    const { response } = await signs()
    const answers = [
      await askToRenew(key),
      await askToRenew(key, stranger.key),
      await askToRenew(unknown, unknown),
      await askToRenew(key, { ...unknown, keyId: key.keyId }),
      await askToRenew(free, free),
      await renew(key, { ...(await signs()), signer: stranger.key }),
      await renew(unknown, await signs()),
      await renew(free, await signs()),
      await renew(stranger.key, await signs()),
      await renew(key, { response: await stranger.response() }),
      await renew(key, { response: { ...(await user.response()), rawId: 'AA' } }),
      await renew(key, {
        response: user.authenticator.sign((await askToRenew(key, key)).body, { counter: 1 }),
      }),
      await renew(key, {
        response: user.authenticator.sign((await auth.call('passkeyLoginOptions', {})).body),
      }),
    ]
    const unsigned = { expiredKeyId: key.keyId, response, ...(await createTestKey()).registration }
    answers.push(await auth.call('sessionRenewVerify', unsigned))
    for (const answer of answers) expect(said(answer)).toEqual(said(answers[0] as TestAnswer))
    expect(answers[0]).toMatchObject(refused)
    expect((await renew(key, { response })).status).toBe(200)
  })

  it('to another user’s passkey', async () => {
    const [user, stranger] = [await expired(), await expired()]
    const options = (await askToRenew(user.key, user.key)).body
    const response = stranger.authenticator.sign({ ...options, allowCredentials: [] })
    expect(await renew(user.key, { response })).toMatchObject(refused)
  })

  it('to a clone of the passkey', async () => {
    const { key, authenticator } = await expired()
    const clone = authenticator.clone()
    const next = await createTestKey()
    expect((await renew(key, { next, response: await sign(key, authenticator) })).status).toBe(200)
    expect(await renew(next, { response: await sign(next, clone) })).toMatchObject(refused)
  })

  it('to a request that was signed for another, sent twice, or too old', async () => {
    const { key } = await expired()
    const path = '/_auth/session/renew/options'
    const url = `${auth.url}${path}`
    const body = JSON.stringify({ expiredKeyId: key.keyId })
    const signed = await auth.signerOf(key)({ method: 'POST', url, body })
    const send = async (headers: object, text = body) => {
      const type = { 'content-type': 'application/json' }
      return (
        await auth.fetch(path, { method: 'POST', headers: { ...type, ...headers }, body: text })
      ).status
    }
    expect(await send(signed, `${body} `)).toBe(401)
    expect(await send(signed)).toBe(200)
    expect(await send(signed)).toBe(401)
    const old = await auth.signerOf(key)({ method: 'POST', url, body })
    clock.advance('2m')
    expect(await send(old)).toBe(401)
  })

  it('after the binding ended, or the account was signed out everywhere', async () => {
    const { key, authenticator } = await boundUser()
    const response = await sign(key, authenticator)
    await unbind(key, authenticator.sign(await askToUnbind(key)))
    expect(await renew(key, { response })).toMatchObject(refused)
    await auth.call('revokeAllKeys', { includeCurrent: true }, key)
    expect(await askToRenew(key, key)).toMatchObject(refused)
  })

  it('after a revocation that came once the key was looked at', async () => {
    const user = await expired()
    const response = await user.response()
    const read = auth.auth.callers
    vi.spyOn(auth.auth, 'callers').mockImplementationOnce(async (keyId) => {
      const row = await read(keyId)
      await setUser(user, { generation: (row?.generation ?? 0) + 1 })
      return row
    })
    expect(await renew(user.key, { response })).toMatchObject(refused)
    expect(await rowOf(user, user.key)).toMatchObject({ state: 'active' })
  })
})

describe('a renewal of an account that may not sign in', () => {
  it.each([
    ['suspended', 'AccountDisabledError'],
    ['pending_deletion', 'AccountPendingDeletionError'],
  ] as const)('that is %s says so to who has key and passkey alone', async (status, code) => {
    const [user, stranger] = [await expired(), await expired()]
    await setUser(user, { status })
    const options = (await askToRenew(user.key, user.key)).body
    const wrong = stranger.authenticator.sign({ ...options, allowCredentials: [] })
    expect(await renew(user.key, { response: wrong })).toMatchObject(
      refusedBy('SessionRenewalRefusedError', 401),
    )
    expect(await renew(user.key, { response: await user.response() })).toMatchObject(
      refusedBy(code, 403),
    )
    expect(await rowOf(user, user.key)).toMatchObject({ state: 'active' })
  })
})

describe('a renewal where the account has a second factor', () => {
  async function enrolled(hasUserVerification: boolean) {
    const user = await expired(createTestAuthenticator({ hasUserVerification }))
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
    const key = { keyId: next.keyId, userId: user.userId, now: clock.now() }
    await db.transaction((tx) => activatePending(tx, key))
    expect(await rowOf(user, next)).toMatchObject({ state: 'active', ...window })
    expect((await session(next)).status).toBe(200)
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
