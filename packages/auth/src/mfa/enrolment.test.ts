import { eq } from 'drizzle-orm'
import { URI } from 'otpauth'
import { afterAll, describe, expect, it } from 'vitest'
import { exportUserData } from '../data-export/data-export.ts'
import { mfaEnrolledEvent, mfaRemovedEvent } from '../events.ts'
import { forgetExpired } from '../forget-expired.ts'
import { done, refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'
import { removeSecondFactor } from './mfa.ts'
import { totpSecrets } from './schema.ts'
import {
  authenticatorApp,
  enrol,
  enrolledUser,
  waitingSignIn,
  withKeyring,
} from './testing/test-second-factor.ts'

const auth = await startTestAuth({
  env: { ...withKeyring(), SVC_AUTH_MFA_ISSUER: 'Example' },
  options: { templates: {} },
})
afterAll(auth.stop)
const { call, clock } = auth
const { db } = auth.auth

const told: object[] = []
for (const event of [mfaEnrolledEvent, mfaRemovedEvent]) {
  event.subscribe((payload) => void told.push({ event: event.name, ...payload }))
}
const toldOf = ({ userId }: TestUser) =>
  expect.poll(() => told.filter((each) => 'userId' in each && each.userId === userId))

const wrong = refused(401, 'MfaVerificationFailedError')
const notEnrolled = refused(400, 'MfaNotEnrolledError')
const none = { enrolled: false, methods: [], recoveryCodesRemaining: 0 }
const totp = { enrolled: true, methods: ['totp'], recoveryCodesRemaining: 10 }

const statusOf = async ({ key }: TestUser) => (await call('mfaStatus', undefined, key)).body
const begin = async ({ key }: TestUser) =>
  authenticatorApp(auth, (await call('mfaTotpEnroll', {}, key)).body.secret)
const confirm = ({ key }: TestUser, code: string) => call('mfaTotpConfirm', { code }, key)

describe('mfaTotpEnroll', () => {
  it('answers a secret, and the address that an authenticator app reads (A-236)', async () => {
    const user = await auth.signedInUser()
    const { status, body } = await call('mfaTotpEnroll', {}, user.key)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const read = URI.parse(body.otpauthUri)
    expect(read).toMatchObject({ issuer: 'Example', label: user.email })
  })

  it('makes nothing of the account: it gates nothing, and satisfies nothing (A-236)', async () => {
    const user = await auth.signedInUser()
    const app = await begin(user)
    expect(await statusOf(user)).toEqual(none)
    expect(await call('mfaStepUp', { code: app.code() }, user.key)).toMatchObject(notEnrolled)
    await auth.signIn(user)
    expect(await call('revokeAllKeys', {}, user.key)).toMatchObject({ status: 200 })
  })

  it('puts another secret in the place of one that was not confirmed (A-237)', async () => {
    const user = await auth.signedInUser()
    const [first, second] = [await begin(user), await begin(user)]
    expect(await confirm(user, first.codeAt())).toMatchObject(wrong)
    expect(await confirm(user, second.codeAt())).toMatchObject({ status: 200 })
  })

  it('refuses an account that has an authenticator app (A-236)', async () => {
    const user = await enrolledUser(auth)
    const again = refused(409, 'MfaAlreadyEnrolledError')
    expect(await call('mfaTotpEnroll', {}, user.key)).toMatchObject(again)
    expect(await confirm(user, user.code())).toMatchObject(again)
  })

  it('asks who has not signed in for a while for the password (A-236)', async () => {
    const user = await auth.signedInUser()
    clock.advance('10m')
    const enroll = (body: object) => call('mfaTotpEnroll', body, user.key)
    expect(await enroll({})).toMatchObject(refused(403, 'RecentAuthenticationRequiredError'))
    const currentPassword = 'not the password'
    expect(await enroll({ currentPassword })).toMatchObject(refused(401, 'InvalidCredentialsError'))
    expect(await enroll({ currentPassword: user.password })).toMatchObject({ status: 200 })
  })
})

describe('mfaTotpConfirm', () => {
  it('makes the app the second factor, and answers ten recovery codes (A-047, A-237, A-241)', async () => {
    const user = await auth.signedInUser()
    const app = await begin(user)
    const ask = () => confirm(user, app.codeAt())
    const { text } = await auth.sentBy(ask, user.email, 'second-factor-added')
    expect(text).toContain('/account/security')
    expect(await statusOf(user)).toEqual(totp)
    await toldOf(user).toEqual([
      { event: 'auth.mfa.enrolled', userId: user.userId, method: 'totp' },
    ])
    // The device has proved it by that.
    expect(await call('mfaRegenerateRecoveryCodes', {}, user.key)).toMatchObject({ status: 200 })
  })

  it('answers codes that differ, of which no table has one, nor the secret (A-237)', async () => {
    const user = await enrolledUser(auth)
    expect(new Set(user.recoveryCodes).size).toBe(10)
    const answered = [await statusOf(user), await exportUserData(user.userId)]
    const text = (await dumpTables(db)) + JSON.stringify(answered)
    expect(text).toContain(user.email)
    for (const secret of [user.secret, ...user.recoveryCodes]) expect(text).not.toContain(secret)
  })

  it('spends the code (A-237)', async () => {
    const user = await enrolledUser(auth)
    expect(await call('mfaStepUp', { code: user.codeAt() }, user.key)).toMatchObject(wrong)
  })

  it('takes no code of another enrolment (A-237)', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    const [app, theirs] = [await begin(user), await begin(other)]
    expect(await confirm(user, theirs.codeAt())).toMatchObject(wrong)
    expect(
      await confirm(user, ` ${app.codeAt().slice(0, 3)} ${app.codeAt().slice(3)} `),
    ).toMatchObject({ status: 200 })
  })

  it('is too late after ten minutes, and the secret is swept (A-237)', async () => {
    const [user, later] = [await auth.signedInUser(), await auth.signedInUser()]
    const [app, other] = [await begin(user), await begin(later)]
    clock.advance(10 * 60_000 - 1)
    expect(await confirm(user, app.codeAt())).toMatchObject({ status: 200 })
    clock.advance(1)
    await done(call('proveRecent', { password: later.password }, later.key))
    expect(await confirm(later, other.codeAt())).toMatchObject(notEnrolled)
    await forgetExpired.enqueue()
    const kept = () => db.$count(totpSecrets, eq(totpSecrets.userId, later.userId))
    await expect.poll(kept, { timeout: 10_000 }).toBe(0)
    expect(await statusOf(user)).toEqual(totp)
  })

  it('refuses an account that has begun nothing (A-237)', async () => {
    expect(await confirm(await auth.signedInUser(), '123456')).toMatchObject(notEnrolled)
  })
})

describe('mfaRegenerateRecoveryCodes', () => {
  it('answers ten fresh codes, and those before are void (A-240)', async () => {
    const user = await enrolledUser(auth)
    const { body } = await call('mfaRegenerateRecoveryCodes', {}, user.key)
    expect(new Set([...body.recoveryCodes, ...user.recoveryCodes]).size).toBe(20)
    const stepUp = (recoveryCode: string) => call('mfaStepUp', { recoveryCode }, user.key)
    expect(await stepUp(user.recoveryCodes[0] as string)).toMatchObject(wrong)
    expect(await stepUp(body.recoveryCodes[0])).toMatchObject({ status: 204 })
    expect(await statusOf(user)).toMatchObject({ recoveryCodesRemaining: 9 })
  })

  it('refuses an account without a second factor (A-240)', async () => {
    const { key } = await auth.signedInUser()
    expect(await call('mfaRegenerateRecoveryCodes', {}, key)).toMatchObject(notEnrolled)
  })
})

describe('mfaDisable', () => {
  it('removes the second factor, tells of it, and answers 204 either way (A-047, A-238)', async () => {
    const user = await enrolledUser(auth)
    const disable = () => call('mfaDisable', undefined, user.key)
    await auth.sentBy(disable, user.email, 'second-factor-removed')
    expect(await disable()).toMatchObject({ status: 204 })
    expect(await statusOf(user)).toEqual(none)
    await toldOf(user).toEqual([
      { event: 'auth.mfa.enrolled', userId: user.userId, method: 'totp' },
      { event: 'auth.mfa.removed', userId: user.userId, methods: ['totp'] },
    ])
    await auth.signIn(user)
  })

  it('ends sign-ins that wait, and voids what was proved (A-238)', async () => {
    const user = await enrolledUser(auth)
    const { key, challenge } = await waitingSignIn(auth, user)
    await call('mfaDisable', undefined, user.key)
    expect(await call('mfaVerify', { challenge, code: user.code() })).toMatchObject(wrong)
    const states = (await auth.keysOf(user.userId)).filter(({ keyId }) => keyId === key.keyId)
    expect(states).toMatchObject([{ state: 'deleted' }])
    // What was proved of the old one is worth nothing for the next.
    clock.advance('1m')
    const other = await auth.signIn(user)
    await enrol(auth, { ...user, key: other })
    const stepUp = refused(403, 'StepUpRequiredError')
    expect(await call('mfaDisable', undefined, user.key)).toMatchObject(stepUp)
  })
})

describe('removeSecondFactor', () => {
  it('lets a user sign in who has lost everything, and says so in the trail (A-238)', async () => {
    const user = await enrolledUser(auth)
    await removeSecondFactor(user.userId)
    expect(await statusOf(user)).toEqual(none)
    await auth.signIn(user)
    const root = await auth.signedInUser({ role: 'superadmin' })
    const { body } = await call('listAuditEvents', undefined, root.key, {
      query: { act: 'mfa.removed' },
    })
    const [removed] = body.data
    expect(removed).toMatchObject({ target: user.userId, details: { methods: ['totp'] } })
    expect(removed).not.toHaveProperty('actor')
  })

  it('names in the trail who had it done', async () => {
    const [user, root] = [await enrolledUser(auth), await auth.signedInUser({ role: 'superadmin' })]
    await removeSecondFactor(user.userId, { by: root.userId })
    const query = { act: 'mfa.removed', actor: root.userId }
    const { body } = await call('listAuditEvents', undefined, root.key, { query })
    expect(body.data).toMatchObject([{ target: user.userId, details: { methods: ['totp'] } }])
  })

  it('refuses an unknown user', async () => {
    const nobody = createTestKey().then(({ keyId }) => removeSecondFactor(keyId))
    await expect(nobody).rejects.toMatchObject({ name: 'UserNotFoundError' })
  })
})
