import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { hashToken } from '../crypto/crypto.ts'
import { loginEvent } from '../events.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestAnswer } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { forgeriesOf, oddKeys } from '../webauthn/testing/test-odd-keys.ts'
import { passkeyChallenges, passkeys } from './schema.ts'
import { passkeysOf } from './testing/test-passkeys.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth
const { registerOptions, loginOptions, enrol, present, login, rowOf, revoke, mark } =
  passkeysOf(auth)

const told: { userId: string }[] = []
loginEvent.subscribe((payload) => void told.push(payload))

const badProof = refused(401, 'PasskeyVerificationError')
const badChallenge = refused(401, 'PasskeyChallengeError')

async function owner(device = createTestAuthenticator()) {
  const user = await auth.signedInUser()
  return { user, ...(await enrol(user, device)) }
}

const set = ({ userId }: { userId: string }, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))

/** A refusal without its request id, to compare it with another. */
const said = ({ status, body }: TestAnswer) => ({
  status,
  body: { ...body, error: { ...body.error, requestId: '' } },
})

const refusalsOf = ({ userId }: { userId: string }) =>
  db
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.target, userId), eq(auditEvents.outcome, 'refused')))

describe('passkeyLoginOptions', () => {
  it('asks for any passkey, for every user (A-228)', async () => {
    const options = await loginOptions()
    expect(options).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'preferred',
    })
    expect((await loginOptions()).challenge).not.toBe(options.challenge)
  })

  it('takes no identifier, known or not (A-228)', async () => {
    const { user } = await owner()
    const ask = async (email: string) => said(await auth.call('passkeyLoginOptions', { email }))
    const known = await ask(user.email)
    expect(known).toMatchObject(refused(400, 'ValidationError'))
    expect(await ask(`${randomUUID()}@example.com`)).toEqual(known)
  })
})

describe('passkeyLoginVerify', () => {
  it('answers as login does, and registers a device key of its own (A-229, A-031)', async () => {
    const { user, device, passkeyId } = await owner()
    const key = await createTestKey()
    auth.clock.advance(1000)
    const answer = await login(device, {}, key)

    const { email, password, userId } = user
    const { registration } = await createTestKey()
    const byPassword = await auth.call('login', { email, password, ...registration })
    expect(answer).toMatchObject({
      status: 200,
      body: { ...byPassword.body, knownBrowser: expect.any(String) },
    })
    expect(Object.keys(answer.body)).toEqual(Object.keys(byPassword.body))
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      status: 200,
      body: { userId, keyId: key.keyId },
    })
    const [, own] = (await auth.keysOf(userId)).filter(({ state }) => state === 'active')
    const { publicKey } = key.registration
    const signedInBy = 'passkey'
    expect(own).toMatchObject({ keyId: key.keyId, publicKey, binding: null, signedInBy })
    expect(publicKey).not.toContain((await rowOf(passkeyId))?.publicKey)
    expect(told).toContainEqual({
      userId,
      keyId: key.keyId,
      provider: 'passkey',
      email,
      mfa: 'none',
    })
    expect(await rowOf(passkeyId)).toMatchObject({ counter: 2, lastUsedAt: auth.clock.now() })
  })

  it('takes a challenge once, and not one more time for its answer', async () => {
    const { device } = await owner()
    const response = device.sign(await loginOptions())
    expect(await present(response)).toMatchObject({ status: 200 })
    expect(await present(response)).toMatchObject(badChallenge)
  })

  it('has spent the challenge of what it refuses', async () => {
    const { device } = await owner()
    const options = await loginOptions()
    const lie = device.sign(options, { origin: 'https://evil.example' })
    expect(await present(lie)).toMatchObject(badProof)
    expect(await present(device.sign(options))).toMatchObject(badChallenge)
  })

  it('takes a challenge until its time is over (A-233)', async () => {
    const { device } = await owner()
    const [inTime, late] = [await loginOptions(), await loginOptions()]
    auth.clock.advance(300_000 - 1)
    expect(await present(device.sign(inTime))).toMatchObject({ status: 200 })
    auth.clock.advance(1)
    expect(await present(device.sign(late))).toMatchObject(badChallenge)
  })

  it('takes no challenge that was made for something else', async () => {
    const { user, device } = await owner()
    const options = await loginOptions()
    const { body: toRegister } = await registerOptions(user.key)
    const unknown = { ...options, challenge: options.challenge.replace(/^./, '-') }
    for (const other of [{ ...options, challenge: toRegister.challenge }, unknown]) {
      expect(await present(device.sign(other))).toMatchObject(badChallenge)
    }
    const kinds = ['mfa verify', 'mfa step-up', 'binding disable', 'renew'] as const
    for (const kind of kinds) {
      const asked = await loginOptions()
      const { userId } = user
      await db
        .update(passkeyChallenges)
        .set({ kind, userId, keyId: user.key.keyId })
        .where(eq(passkeyChallenges.kind, 'login'))
      expect(await present(device.sign(asked)), kind).toMatchObject(badChallenge)
    }
  })

  it.each([
    ['another origin', { origin: 'http://localhost:3791' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge than it says', { challenge: 'x'.repeat(43) }],
    ['a frame', { crossOrigin: true }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['no user present', { userPresent: false }],
    ['no account', { userHandle: null }],
  ])('refuses what is signed for %s', async (name, lies) => {
    const { user, device, passkeyId } = await owner()
    const expected = name.startsWith('another challenge') ? badChallenge : badProof
    expect(await login(device, lies)).toMatchObject(expected)
    expect(await rowOf(passkeyId)).toMatchObject({ counter: 1, lastUsedAt: null })
    expect(await auth.keysOf(user.userId)).toHaveLength(1)
  })

  it('refuses an unknown passkey, a revoked one and one of another account in one way', async () => {
    const mine = await owner()
    const theirs = await owner()
    const handle = (await registerOptions(theirs.user.key)).body.user.id
    const elsewhere = await login(mine.device, { userHandle: handle })
    expect(elsewhere).toMatchObject(badProof)

    const stranger = createTestAuthenticator()
    stranger.register((await registerOptions(mine.user.key)).body)
    expect(said(await login(stranger))).toEqual(said(elsewhere))

    // A passkey of another user, presented as if it were the one that signs.
    const response = mine.device.sign(await loginOptions())
    const { credentialId: id } = theirs
    expect(said(await present({ ...response, id, rawId: id }))).toEqual(said(elsewhere))

    expect(await revoke(mine.user, mine.passkeyId)).toMatchObject({ status: 200 })
    expect(said(await login(mine.device))).toEqual(said(elsewhere))
  })

  it('refuses a signature that was touched', async () => {
    const { device } = await owner()
    const response = device.sign(await loginOptions())
    const bytes = Buffer.from(response.response.signature, 'base64url')
    bytes.writeUInt8(255 - bytes.readUInt8(20), 20)
    const signature = bytes.toString('base64url')
    const forged = { ...response, response: { ...response.response, signature } }
    expect(await present(forged)).toMatchObject(badProof)
  })

  it('refuses a copied authenticator, and never counts down', async () => {
    const { device, passkeyId } = await owner()
    const copy = device.clone()
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await login(copy)).toMatchObject(badProof)
    expect(await login(device, { counter: 3 })).toMatchObject(badProof)
    expect(await login(device, { counter: 0 })).toMatchObject(badProof)
    expect(await rowOf(passkeyId)).toMatchObject({ counter: 3 })
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await rowOf(passkeyId)).toMatchObject({ counter: 6 })
  })

  it('takes a passkey that is synced between devices, and counts nothing', async () => {
    const { device, passkeyId } = await owner(createTestAuthenticator({ counter: 'zero' }))
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await login(device.clone())).toMatchObject({ status: 200 })
    expect(await rowOf(passkeyId)).toMatchObject({
      counter: 0,
      deviceType: 'multiDevice',
      backedUp: true,
    })
  })

  it('takes counters up to the last that an authenticator can say', async () => {
    const { device, passkeyId } = await owner()
    for (const counter of [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1]) {
      expect(await login(device, { counter }), String(counter)).toMatchObject({ status: 200 })
      expect(await rowOf(passkeyId)).toMatchObject({ counter })
    }
    expect(await login(device, { counter: 2 ** 32 - 2 })).toMatchObject(badProof)
    expect(await login(device, { counter: 0 })).toMatchObject(badProof)
  })

  it('refuses what can be signed without a private key, of a key that was kept unchecked', async () => {
    const { device, passkeyId } = await owner()
    const forgeable = oddKeys.filter(([what]) => what.includes('without a private key'))
    expect(forgeable).toHaveLength(2)
    for (const [name, key] of forgeable) {
      const publicKey = key.toString('base64url')
      await db.update(passkeys).set({ publicKey }).where(eq(passkeys.passkeyId, passkeyId))
      const options = await loginOptions()
      const { response, ...rest } = device.sign(options)
      const [padded, neutral] = forgeriesOf({ response, ...rest })
      const forged = name.includes('exponent') ? padded : neutral
      const signature = forged?.toString('base64url')
      expect(await present({ ...rest, response: { ...response, signature } })).toMatchObject(
        badProof,
      )
    }
  })

  it('tells of suspension and deletion only to the holder of the passkey', async () => {
    const { user, device } = await owner()
    for (const [status, error] of [
      ['suspended', 'AccountDisabledError'],
      ['pending_deletion', 'AccountPendingDeletionError'],
    ] as const) {
      await set(user, { status })
      expect(await login(device, { rpId: 'evil.example' })).toMatchObject(badProof)
      expect(await login(device)).toMatchObject(refused(403, error))
    }
    expect(await auth.keysOf(user.userId)).toHaveLength(1)
    await set(user, { status: 'active' })
    expect(await login(device)).toMatchObject({ status: 200 })
  })

  it('is refused to what was checked before the account was signed out everywhere', async () => {
    const { user, device } = await owner()
    const key = await createTestKey()
    const options = await loginOptions()
    const own = eq(users.userId, user.userId)
    const spent = eq(passkeyChallenges.hash, hashToken(options.challenge))
    const { answer } = await db.transaction(async (tx) => {
      await tx.select().from(users).where(own).for('no key update')
      const waiting = present(device.sign(options), key)
      await expect.poll(() => db.$count(passkeyChallenges, spent)).toBe(0)
      await tx.update(users).set({ generation: 7 }).where(own)
      return { answer: waiting }
    })
    expect(await answer).toMatchObject(refused(401, 'InvalidCredentialsError'))
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
  })

  it('checks the key before it spends the challenge', async () => {
    const { device } = await owner()
    const response = device.sign(await loginOptions())
    const { registration } = await createTestKey()
    const body = { response, ...registration, fingerprint: '0'.repeat(64) }
    expect(await auth.call('passkeyLoginVerify', body)).toMatchObject(
      refused(400, 'InvalidKeyFingerprintError'),
    )
    expect(await present(response)).toMatchObject({ status: 200 })
  })

  it('writes down who was refused, as far as that is known', async () => {
    const { user, device } = await owner()
    await login(device, { rpId: 'evil.example' })
    expect(await refusalsOf(user)).toMatchObject([
      { act: 'login', actor: null, details: { provider: 'passkey' }, address: '127.0.0.1' },
    ])
    const nobody = and(eq(auditEvents.act, 'login'), eq(auditEvents.outcome, 'refused'))
    const count = async () => {
      const rows = await db.select().from(auditEvents).where(nobody)
      return rows.reduce((sum, { times }) => sum + times, 0)
    }
    const before = await count()
    const stranger = createTestAuthenticator()
    stranger.register((await registerOptions(user.key)).body)
    await login(stranger)
    expect(await count()).toBe(before + 1)
    expect(await refusalsOf(user)).toHaveLength(1)
  })
})

describe('a passkey of an account with a second factor', () => {
  const bare = () => createTestAuthenticator({ hasUserVerification: false })
  const begin = async (device = bare()) => {
    const one = await owner(device)
    await set(one.user, { secondFactorSince: auth.clock.now() })
    return one
  }

  it('is the first factor alone without user verification', async () => {
    const { device } = await begin()
    const key = await createTestKey()
    const answer = await login(device, {}, key)
    expect(answer).toMatchObject({ status: 202, body: { mfaRequired: true } })
    expect(answer.body.challenge.secret).toEqual(expect.any(String))
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
  })

  it('is both where its authenticator has, and no proof for a step-up', async () => {
    const { user, device } = await begin(createTestAuthenticator())
    const key = await createTestKey()
    expect(await login(device, {}, key)).toMatchObject({
      status: 200,
      body: { mfaRequired: false },
    })
    expect(told.at(-1)).toMatchObject({ userId: user.userId, mfa: 'passed' })
    expect(await registerOptions(key)).toMatchObject(refused(403, 'StepUpRequiredError'))
  })

  it('is the second factor where it is marked as one', async () => {
    const { device, passkeyId } = await begin()
    await mark(passkeyId)
    const key = await createTestKey()
    expect(await login(device, {}, key)).toMatchObject({ status: 200 })
    expect(await registerOptions(key)).toMatchObject({ status: 200 })
  })
})
