import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { authContract } from '../auth-contract.ts'
import { deviceRegisteredEvent, loginEvent } from '../events.ts'
import { forgetExpired } from '../forget-expired.ts'
import { deviceKeys } from '../keys/schema.ts'
import { signInChallenges } from '../sign-in/schema.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import {
  enrolledUser,
  signInWithFactor,
  waitingSignIn,
  withKeyring,
} from './testing/test-second-factor.ts'

const auth = await startTestAuth({
  env: { ...withKeyring(), SVC_AUTH_MFA_CHALLENGE_TTL_MINUTES: '3' },
  options: {
    templates: {},
    authorizationServer: { scopes: { board: 'Read the board' }, deviceGrant: true },
    support: { consent: 'code' },
  },
})
afterAll(auth.stop)
const { call, clock } = auth
const { db } = auth.auth

const user = await enrolledUser(auth)
/** Tests that use tries up have an account of their own. */
const another = () => enrolledUser(auth)

const wrong = refused(401, 'MfaVerificationFailedError')
const stateOf = async (keyId: string) =>
  (await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, keyId)))[0]?.state

const tooMany = { status: 429, body: { error: { code: 'TooManyRequestsError' } } }

/** As many wrong proofs as an hour has, at sign-ins of the account. */
async function guessAtSignIn(owner: typeof user, proof: () => object) {
  let waiting = { challenge: '' }
  for (let tries = 0; tries < 20; tries++) {
    if (tries % 4 === 0) waiting = await waitingSignIn(auth, owner)
    const { challenge } = waiting
    expect(await call('mfaVerify', { challenge, ...proof() })).toMatchObject(wrong)
  }
}

/** All that is said, but for the id of the request. */
const said = ({ status, body }: { status: number; body: { error: object } }) =>
  JSON.stringify([status, { ...body.error, requestId: null, details: null, timestamp: null }])

describe('signing in on a new device with an account that has a second factor', () => {
  it('answers 202 and a challenge, for a password and for a code (A-168, A-170, A-246)', async () => {
    const { email, password } = user
    const ways = [{ password }, { verificationToken: await auth.verificationToken(email) }]
    for (const way of ways) {
      const { registration } = await createTestKey()
      const answer = await call('login', { email, ...way, ...registration })
      const expiresAtMillis = clock.now().getTime() + 3 * 60_000
      const challenge = { secret: expect.any(String), expiresAtMillis }
      expect(answer).toMatchObject({ status: 202, body: { mfaRequired: true, challenge } })
      expect(Object.keys(answer.body).toSorted()).toEqual(['challenge', 'mfaRequired'])
    }
  })

  it('answers 200 on a device that the account signs with already (A-168)', async () => {
    const { email, password, key } = user
    const answer = await call('login', { email, password, ...key.registration })
    expect(answer).toMatchObject({ status: 200, body: { mfaRequired: false } })
  })

  it('lets the waiting key sign no operation, and lists it nowhere (A-131, A-169)', async () => {
    const { key } = await waitingSignIn(auth, user)
    const signed = Object.entries(authContract).filter(
      ([, { access }]) => access !== 'public' && access !== 'setup',
    )
    expect(signed.length).toBeGreaterThan(30)
    for (const [name] of signed) {
      const { userId } = user
      const ids = { roleId: userId, grantId: userId, streamId: userId, jobId: userId }
      const params = { userId, role: 'user', approvalId: userId, ...ids }
      const answer = await call(name as keyof typeof authContract, undefined, key, { params })
      expect([name, answer.status]).toEqual([name, 401])
    }
    const listed = await call('listKeys', { includeRevoked: true }, user.key)
    expect(JSON.stringify(listed.body)).not.toContain(key.keyId)
  })
})

describe('mfaVerify', () => {
  it('finishes the sign-in: the key signs, and has stepped up (A-131, A-169, A-244)', async () => {
    const logins: unknown[] = []
    const devices: unknown[] = []
    loginEvent.subscribe((login) => void logins.push(login))
    deviceRegisteredEvent.subscribe((device) => void devices.push(device))
    const { key, challenge } = await waitingSignIn(auth, user)
    const verify = () => call('mfaVerify', { challenge, code: user.code() })
    let answer = {}
    const ask = async () => {
      answer = await verify()
    }
    await auth.sentBy(ask, user.email, 'new-device')
    const { userId, publicId, email } = user
    const { keyId } = key
    const body = {
      mfaRequired: false,
      userId,
      publicId,
      email,
      passwordChangeRequired: false,
      keyId,
    }
    expect(answer).toMatchObject({ status: 200, body })
    await expect.poll(() => logins).toMatchObject([{ keyId, provider: 'email', mfa: 'passed' }])
    await expect.poll(() => devices).toMatchObject([{ keyId, channel: 'login' }])
    expect(await call('mfaRegenerateRecoveryCodes', {}, key)).toMatchObject({ status: 200 })
  })

  it('signs in by the way of the first factor that was given last', async () => {
    const owner = await another()
    const { email } = owner
    const { key } = await waitingSignIn(auth, owner)
    const verificationToken = await auth.verificationToken(email)
    const { body } = await call('login', { email, verificationToken, ...key.registration })
    await call('mfaVerify', { challenge: body.challenge.secret, code: owner.code() })
    const [row] = (await auth.keysOf(owner.userId)).filter(({ keyId }) => keyId === key.keyId)
    const signIn = { state: 'active', signedInBy: 'code', signedInAt: clock.now() }
    expect(row).toMatchObject(signIn)
  })

  it('takes exactly one proof (A-249)', async () => {
    const { challenge } = await waitingSignIn(auth, user)
    const invalid = refused(400, 'ValidationError')
    for (const proofs of [{}, { code: '123456', recoveryCode: 'k7qm2-xvh9p' }]) {
      expect(await call('mfaVerify', { challenge, ...proofs })).toMatchObject(invalid)
    }
  })

  it.each([
    [-60_000, 401],
    [-30_000, 200],
    [0, 200],
    [30_000, 200],
    [60_000, 401],
  ])('answers a code of a clock that is %i ms off with %i (A-244)', async (off, status) => {
    const fresh = await another()
    clock.advance('2m')
    const { challenge } = await waitingSignIn(auth, fresh)
    const code = fresh.codeAt(off)
    expect(await call('mfaVerify', { challenge, code })).toMatchObject({ status })
  })

  it('takes no code twice, and none of a step before one that was taken (A-244)', async () => {
    const fresh = await another()
    clock.advance('2m')
    const before = fresh.codeAt(-30_000)
    const code = fresh.codeAt()
    const first = await waitingSignIn(auth, fresh)
    expect(await call('mfaVerify', { ...first, code })).toMatchObject({ status: 200 })
    const { challenge } = await waitingSignIn(auth, fresh)
    for (const again of [code, before]) {
      expect(await call('mfaVerify', { challenge, code: again })).toMatchObject(wrong)
    }
  })

  it('takes a recovery code once, however it is typed, and tells its owner (A-244)', async () => {
    const fresh = await another()
    const recoveryCode = (fresh.recoveryCodes[0] as string).toUpperCase().replace('-', ' ')
    const { challenge } = await waitingSignIn(auth, fresh)
    const verify = () => call('mfaVerify', { challenge, recoveryCode })
    const { text } = await auth.sentBy(verify, fresh.email, 'recovery-code-used')
    expect(text).toContain('9')
    const next = await waitingSignIn(auth, fresh)
    expect(await call('mfaVerify', { challenge: next.challenge, recoveryCode })).toMatchObject(
      wrong,
    )
  })

  it('takes no proof of another account (A-244)', async () => {
    const [fresh, other] = [await another(), await another()]
    const { challenge } = await waitingSignIn(auth, fresh)
    const recoveryCode = other.recoveryCodes[0]
    for (const proof of [{ code: other.code() }, { recoveryCode }]) {
      expect(await call('mfaVerify', { challenge, ...proof })).toMatchObject(wrong)
    }
  })

  it('says one thing of a challenge that is unknown, used, expired or burned (A-246)', async () => {
    const fresh = await another()
    const used = await waitingSignIn(auth, fresh)
    await call('mfaVerify', { challenge: used.challenge, code: fresh.code() })
    const expired = await waitingSignIn(auth, fresh)
    clock.advance('3m')
    const burned = await waitingSignIn(auth, fresh)
    for (let tries = 0; tries < 5; tries++) {
      await call('mfaVerify', { challenge: burned.challenge, code: fresh.wrongCode() })
    }
    const live = await waitingSignIn(auth, fresh)
    const answers = [
      await call('mfaVerify', { challenge: live.challenge, code: fresh.wrongCode() }),
    ]
    for (const { challenge } of [used, expired, burned, { challenge: 'unknown' }]) {
      answers.push(await call('mfaVerify', { challenge, code: fresh.code() }))
      answers.push(await call('mfaVerifyOptions', { challenge }))
    }
    for (const answer of answers) expect(answer).toMatchObject(wrong)
    expect(new Set(answers.map(said)).size).toBe(1)
  })

  it('is in time until the challenge expires, and is too late then (A-246)', async () => {
    const fresh = await another()
    const [inTime, late] = [await waitingSignIn(auth, fresh), await waitingSignIn(auth, fresh)]
    clock.advance(late.expiresAtMillis - clock.now().getTime() - 1)
    const verify = (challenge: string) => call('mfaVerify', { challenge, code: fresh.codeAt() })
    expect(await verify(inTime.challenge)).toMatchObject({ status: 200 })
    clock.advance(1)
    const recoveryCode = fresh.recoveryCodes[0]
    const { challenge } = late
    expect(await call('mfaVerify', { challenge, recoveryCode })).toMatchObject(wrong)
    await forgetExpired.enqueue()
    await expect.poll(() => stateOf(late.key.keyId), { timeout: 10_000 }).toBe('deleted')
    expect(await db.$count(signInChallenges, eq(signInChallenges.userId, fresh.userId))).toBe(0)
  })

  it('burns a challenge and its key with the fifth wrong proof (A-246)', async () => {
    const fresh = await another()
    const { key, challenge } = await waitingSignIn(auth, fresh)
    for (let tries = 0; tries < 5; tries++) {
      expect(await stateOf(key.keyId)).toBe('pending')
      const code = fresh.wrongCode()
      expect(await call('mfaVerify', { challenge, code })).toMatchObject(wrong)
    }
    expect(await stateOf(key.keyId)).toBe('deleted')
    const again = { email: fresh.email, password: fresh.password, ...key.registration }
    expect(await call('login', again)).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
  })

  it('takes twenty wrong codes an hour of an account, also with rate limits off (A-249)', async () => {
    const fresh = await another()
    await guessAtSignIn(fresh, () => ({ code: fresh.wrongCode() }))
    const { challenge } = await waitingSignIn(auth, fresh)
    const answer = await call('mfaVerify', { challenge, code: fresh.code() })
    expect(answer).toMatchObject(tooMany)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000)
    clock.advance('1h')
    const next = await waitingSignIn(auth, fresh)
    const right = { challenge: next.challenge, code: fresh.code() }
    expect(await call('mfaVerify', right)).toMatchObject({ status: 200 })
  })

  it('leaves step-up and recovery codes open when a sign-in has used its tries up (A-249, decisions 16)', async () => {
    const fresh = await another()
    await guessAtSignIn(fresh, () => ({ code: fresh.wrongCode() }))
    const [recoveryCode, second] = fresh.recoveryCodes
    expect(await call('mfaStepUp', { code: fresh.code() }, fresh.key)).toMatchObject({
      status: 204,
    })
    const stepUp = await call('mfaStepUp', { recoveryCode }, fresh.key)
    expect(stepUp).toMatchObject({ status: 204 })
    const { challenge } = await waitingSignIn(auth, fresh)
    const verified = await call('mfaVerify', { challenge, recoveryCode: second })
    expect(verified).toMatchObject({ status: 200 })
  })

  it('leaves a sign-in open when step-up has used its tries up (A-249, decisions 16)', async () => {
    const fresh = await another()
    for (let tries = 0; tries < 20; tries++) {
      const guess = { code: fresh.wrongCode() }
      expect(await call('mfaStepUp', guess, fresh.key)).toMatchObject(wrong)
    }
    expect(await call('mfaStepUp', { code: fresh.code() }, fresh.key)).toMatchObject(tooMany)
    const { challenge } = await waitingSignIn(auth, fresh)
    const verified = await call('mfaVerify', { challenge, code: fresh.code() })
    expect(verified).toMatchObject({ status: 200 })
  })

  it('counts recovery codes together at both doors, and no other proof with them (A-249, decisions 16)', async () => {
    const fresh = await another()
    const recoveryCode = 'k7qm2-xvh9p'
    await guessAtSignIn(fresh, () => ({ recoveryCode }))
    const right = { recoveryCode: fresh.recoveryCodes[0] }
    expect(await call('mfaStepUp', right, fresh.key)).toMatchObject(tooMany)
    const { challenge } = await waitingSignIn(auth, fresh)
    expect(await call('mfaVerify', { challenge, ...right })).toMatchObject(tooMany)
    expect(await call('mfaStepUp', { code: fresh.code() }, fresh.key)).toMatchObject({
      status: 204,
    })
    clock.advance('30s')
    const verified = await call('mfaVerify', { challenge, code: fresh.code() })
    expect(verified).toMatchObject({ status: 200 })
  })

  it('takes a try back that was right (A-249)', async () => {
    const fresh = await another()
    for (let times = 0; times < 22; times++) await signInWithFactor(auth, fresh)
    expect((await auth.keysOf(fresh.userId)).length).toBe(23)
  })

  it.each([
    ['the password is changed', 'changePassword'],
    ['everything is signed out', 'revokeAllKeys'],
  ] as const)('activates nothing once %s (A-169)', async (_, name) => {
    const fresh = await another()
    const { key, challenge } = await waitingSignIn(auth, fresh)
    const currentPassword = fresh.password
    const bodies = {
      changePassword: { currentPassword, newPassword: 'a quite different pass phrase' },
      revokeAllKeys: {},
    }
    expect((await call(name, bodies[name], fresh.key)).status).toBeLessThan(300)
    expect(await call('mfaVerify', { challenge, code: fresh.code() })).toMatchObject(wrong)
    expect(await stateOf(key.keyId)).toBe('deleted')
  })

  it('gives a sign-in that is sent again another challenge, and voids the one before (A-169)', async () => {
    const first = await waitingSignIn(auth, user)
    const second = await waitingSignIn(auth, user, first.key)
    const verify = (challenge: string) => call('mfaVerify', { challenge, code: user.code() })
    expect(await verify(first.challenge)).toMatchObject(wrong)
    expect(await verify(second.challenge)).toMatchObject({ status: 200 })
  })
})
