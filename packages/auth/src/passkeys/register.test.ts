import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { issueLegacyToken } from '../authenticate/authenticate.ts'
import { hashToken } from '../crypto/crypto.ts'
import { passkeyEnrolledEvent } from '../events.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { withKey } from '../webauthn/testing/test-ceremony.ts'
import { oddKeys, soundKeys } from '../webauthn/testing/test-odd-keys.ts'
import { userHandleOf } from '../webauthn/webauthn.ts'
import { passkeyChallenges, passkeys } from './schema.ts'
import { passkeysOf } from './testing/test-passkeys.ts'

const auth = await startTestAuth({
  env: { SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(() => auth.stop())
const { db } = auth.auth
const { registerOptions, registerVerify, enrol, login, list, loginOptions } = passkeysOf(auth)
const minute = 60_000

const told: unknown[] = []
passkeyEnrolledEvent.subscribe((payload) => void told.push(payload))

/** An authenticator's answer to what the key asks for, and the key that asked. */
async function made(device = createTestAuthenticator()) {
  const user = await auth.signedInUser()
  const { body } = await registerOptions(user.key)
  return { user, options: body, response: device.register(body), device }
}

const countOf = ({ userId }: { userId: string }) => db.$count(passkeys, eq(passkeys.userId, userId))

describe('passkeyRegisterOptions', () => {
  it('asks for a passkey that signs in without a name, and for nothing of its maker (A-226)', async () => {
    const user = await auth.signedInUser()
    const answer = await registerOptions(user.key)

    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      rp: { id: 'localhost', name: 'localhost' },
      user: { id: userHandleOf(user.userId), name: user.email, displayName: user.email },
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
      attestation: 'none',
    })
  })

  it('names the account as its owner knows it', async () => {
    const user = await auth.signedInUser()
    await auth.call('updateUserProfile', { displayName: 'Ada' }, user.key)
    const userSet = (values: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(values).where(eq(users.userId, user.userId))
    const shown = async () => (await registerOptions(user.key)).body.user

    await userSet({ phone: '+12025550187', username: 'ada' })
    expect(await shown()).toMatchObject({ name: user.email, displayName: 'Ada' })
    await userSet({ email: null })
    expect(await shown()).toMatchObject({ name: '+12025550187' })
    await userSet({ phone: null })
    expect(await shown()).toMatchObject({ name: 'ada' })
    await userSet({ username: null })
    expect(await shown()).toMatchObject({ name: user.publicId })
  })

  it('excludes the passkeys that the account has', async () => {
    const user = await auth.signedInUser()
    const { device, credentialId } = await enrol(user)
    const { body } = await registerOptions(user.key)

    expect(body.excludeCredentials).toEqual([
      { id: credentialId, type: 'public-key', transports: ['usb'] },
    ])
    expect(() => device.register(body)).toThrow('It has one already.')
  })

  it('needs a sign-in a moment ago, or the password (A-234)', async () => {
    const user = await auth.signedInUser()
    auth.clock.advance(10 * minute - 1)
    expect(await registerOptions(user.key)).toMatchObject({ status: 200 })
    auth.clock.advance(1)
    expect(await registerOptions(user.key)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    expect(await registerOptions(user.key, { currentPassword: 'wrong' })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    const right = { currentPassword: testPassword }
    expect(await registerOptions(user.key, right)).toMatchObject({ status: 200 })
    // What was proved holds for the call that keeps the passkey, and no longer than a sign-in would.
    expect(await registerOptions(user.key)).toMatchObject({ status: 200 })
    auth.clock.advance(10 * minute)
    await db.update(users).set({ passwordHash: null }).where(eq(users.userId, user.userId))
    expect(await registerOptions(user.key, right)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
  })

  it('is refused without a signature, and to a request that no device key signed', async () => {
    const { userId } = await auth.createUser()
    expect(await registerOptions()).toMatchObject({ status: 401 })
    const answer = await auth.fetch('/_auth/passkeys/register/options', {
      method: 'POST',
      body: JSON.stringify({ currentPassword: testPassword }),
      headers: {
        authorization: `Bearer ${await issueLegacyToken(userId)}`,
        'content-type': 'application/json',
      },
    })
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ error: { code: 'ForbiddenError' } })
  })

  it('asks for the second factor where the account has one', async () => {
    const user = await auth.signedInUser()
    const secondFactorSince = auth.clock.now()
    await db.update(users).set({ secondFactorSince }).where(eq(users.userId, user.userId))
    expect(await registerOptions(user.key)).toMatchObject(refused(403, 'StepUpRequiredError'))
    expect(await registerVerify(user.key, (await made()).response)).toMatchObject(
      refused(403, 'StepUpRequiredError'),
    )
  })
})

describe('passkeyRegisterVerify', () => {
  it('keeps the passkey, tells of it, and leaves every other way in (A-227, A-235)', async () => {
    const { user, response, device } = await made()
    const answer = await registerVerify(user.key, response, { label: 'Ada’s \u202Ekey' })
    const passkeyId = answer.body.passkeyId as string

    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      passkeyId,
      label: 'Ada’s key',
      deviceType: 'singleDevice',
      backedUp: false,
      transports: ['usb'],
      secondFactor: false,
      createdAtMillis: auth.clock.now().getTime(),
    })
    expect(told).toContainEqual({ userId: user.userId, passkeyId })
    const acts = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.target, passkeyId))
      .orderBy(auditEvents.auditId)
    expect(acts).toMatchObject([
      { act: 'passkey.enrolled', outcome: 'done', actor: user.userId, keyId: user.key.keyId },
    ])
    const { rows } = await db.execute(sql`
      select data->'input'->'facts' as facts from svc_jobs.job
      where name = 'auth.notice' and data->'input'->>'userId' = ${user.userId}
      and data->'input'->>'template' = 'passkey-added'`)
    const url = 'http://localhost:3790/account/security'
    expect(rows).toMatchObject([{ facts: { label: 'Ada’s key', url } }])

    expect(await login(device)).toMatchObject({ status: 200, body: { userId: user.userId } })
    await expect(auth.signIn(user)).resolves.toBeTruthy()
  })

  it('calls it by nothing where nothing is known of its authenticator', async () => {
    const { user, response } = await made()
    await registerVerify(user.key, response, { label: ' \u200B ' })
    expect((await list(user))[0]).not.toHaveProperty('label')
  })

  it('takes a challenge once, with any outcome', async () => {
    const device = createTestAuthenticator()
    const { user, options, response } = await made(device)
    const lie = device.register(options, { origin: 'https://evil.example' })
    expect(await registerVerify(user.key, lie)).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
    expect(await registerVerify(user.key, response)).toMatchObject(
      refused(401, 'PasskeyChallengeError'),
    )
    expect(await countOf(user)).toBe(0)
  })

  it('takes a challenge until its time is over (A-233)', async () => {
    const inTime = await made()
    auth.clock.advance(300_000 - 1)
    expect(await registerVerify(inTime.user.key, inTime.response)).toMatchObject({ status: 200 })
    const late = await made()
    auth.clock.advance(300_000)
    expect(await registerVerify(late.user.key, late.response)).toMatchObject(
      refused(401, 'PasskeyChallengeError'),
    )
  })

  it('takes no challenge of another user, of another device or for another purpose', async () => {
    const device = createTestAuthenticator()
    const { user, response } = await made(device)
    const stranger = await auth.signedInUser()
    const second = await auth.signIn(user)
    const { challenge } = await loginOptions()
    const { body } = await registerOptions(user.key)
    const toLogin = device.register({ ...body, challenge })
    const tries = [
      [stranger.key, response],
      [second, response],
      [user.key, toLogin],
      [user.key, device.register({ ...body, challenge: body.challenge.slice(1) })],
    ] as const
    for (const [key, presented] of tries) {
      expect(await registerVerify(key, presented)).toMatchObject(
        refused(401, 'PasskeyChallengeError'),
      )
    }
    // None of these has used up what the key itself was given.
    expect(await registerVerify(user.key, response)).toMatchObject({ status: 200 })
  })

  it.each(['mfa verify', 'mfa step-up', 'binding disable', 'renew'] as const)(
    'takes no challenge of the kind %s, be it of the same device',
    async (kind) => {
      const { user, options, response } = await made()
      const own = eq(passkeyChallenges.hash, hashToken(options.challenge))
      await db.update(passkeyChallenges).set({ kind }).where(own)
      expect(await registerVerify(user.key, response)).toMatchObject(
        refused(401, 'PasskeyChallengeError'),
      )
      expect(await db.$count(passkeyChallenges, own)).toBe(1)
    },
  )

  it.each([
    ['of another origin', { origin: 'http://localhost:3791' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['in a frame', { crossOrigin: true }],
    ['of another ceremony', { type: 'webauthn.get' }],
    ['without its user', { userPresent: false }],
  ])('refuses what was made %s', async (_, lies) => {
    const device = createTestAuthenticator()
    const { user, options } = await made()
    expect(await registerVerify(user.key, device.register(options, lies))).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
    expect(await countOf(user)).toBe(0)
  })

  it('keeps no key that is none of what was asked for, and every one that is', async () => {
    const user = await auth.signedInUser()
    async function register(key: Buffer) {
      const { body } = await registerOptions(user.key)
      return registerVerify(user.key, withKey(key, createTestAuthenticator().register(body)))
    }
    for (const [name, key] of oddKeys) {
      const answer = await register(key)
      expect(answer, name).toMatchObject(refused(401, 'PasskeyVerificationError'))
    }
    expect(await countOf(user)).toBe(0)
    for (const [name, key] of soundKeys) {
      expect(await register(key), name).toMatchObject({ status: 200 })
    }
  })

  it('refuses a credential that is a passkey already, and does not tell whose', async () => {
    const owner = await auth.signedInUser()
    const { device, credentialId } = await enrol(owner)
    const again = async ({ key }: { key: typeof owner.key }) => {
      const { body } = await registerOptions(key)
      const rest = createTestAuthenticator().register(body)
      return registerVerify(key, withCredential(rest, credentialId))
    }
    const own = await again(owner)
    const anothers = await again(await auth.signedInUser())

    expect(own).toMatchObject(refused(409, 'PasskeyAlreadyRegisteredError'))
    const said = ({ body }: typeof own) => ({ ...body, error: { ...body.error, requestId: '' } })
    expect(said(anothers)).toEqual(said(own))
    expect(await login(device)).toMatchObject({ status: 200, body: { userId: owner.userId } })
  })

  it('puts fifty into an account, and no more', async () => {
    const { user, response } = await made()
    await db.insert(passkeys).values(
      Array.from({ length: 50 }, () => ({
        passkeyId: randomUUID(),
        userId: user.userId,
        credentialId: randomUUID(),
        publicKey: 'none',
        counter: 0,
        deviceType: 'singleDevice' as const,
        backedUp: false,
        transports: [],
        aaguid: randomUUID(),
        createdAt: auth.clock.now(),
      })),
    )
    expect(await registerVerify(user.key, response)).toMatchObject(refused(409, 'ConflictError'))
    expect(await registerOptions(user.key)).toMatchObject(refused(409, 'ConflictError'))
    expect(await countOf(user)).toBe(50)
  })

  it('is refused once the device is signed out', async () => {
    const { user, response } = await made()
    await auth.call('logout', undefined, user.key)
    expect(await registerVerify(user.key, response)).toMatchObject({ status: 401 })
    expect(await registerVerify(await createTestKey(), response)).toMatchObject({ status: 401 })
    expect(await countOf(user)).toBe(0)
  })
})

/** The same response with another credential's id, in its signed part too: nothing is signed as it is made. */
function withCredential(
  response: ReturnType<ReturnType<typeof createTestAuthenticator>['register']>,
  id: string,
) {
  const old = Buffer.from(response.id, 'base64url')
  const bytes = Buffer.from(response.response.attestationObject, 'base64url')
  Buffer.from(id, 'base64url').copy(bytes, bytes.indexOf(old))
  const attestationObject = bytes.toString('base64url')
  return { ...response, id, rawId: id, response: { ...response.response, attestationObject } }
}
