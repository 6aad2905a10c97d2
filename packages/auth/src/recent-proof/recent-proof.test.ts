import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { issueLegacyToken } from '../authenticate/authenticate.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { enrolledUser, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'

const auth = await startTestAuth({
  env: { ...withKeyring(), SVC_AUTH_JWT_SECRET: 'a legacy secret of at least 32 characters' },
})
afterAll(() => auth.stop())
const { call, clock } = auth
const { db } = auth.auth
const passkeys = passkeysOf(auth)

const notRecent = refused(403, 'RecentAuthenticationRequiredError')

/** A user who signed in on this device a while ago. */
async function userOfOldSession() {
  const user = await auth.signedInUser()
  clock.advance('11m')
  return user
}

const prove = ({ key }: Pick<TestUser, 'key'>, proof: object) => call('proveRecent', proof, key)
const ask = ({ key }: Pick<TestUser, 'key'>) => call('passkeyRegisterOptions', {}, key)
const options = ({ key }: Pick<TestUser, 'key'>) => call('proveRecentOptions', {}, key)

async function expectProved(user: TestUser, proof: object) {
  expect(await ask(user)).toMatchObject(notRecent)
  expect(await prove(user, proof)).toMatchObject({ status: 204, body: undefined })
  expect(await ask(user)).toMatchObject({ status: 200 })
}

describe('proveRecent', () => {
  it('renews the proof by the password, on this key and for as long as a sign-in (decisions 16)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    clock.advance('11m')
    await expectProved(user, { password: user.password })
    expect(await ask({ key: other })).toMatchObject(notRecent)
    expect(await auth.keysOf(user.userId)).toHaveLength(2)
    clock.advance('10m')
    expect(await ask(user)).toMatchObject(notRecent)
  })

  it('renews it by a passkey of the account, for the key that asked', async () => {
    const user = await auth.signedInUser()
    const { device } = await passkeys.enrol(user)
    const other = { ...user, key: await auth.signIn(user) }
    clock.advance('11m')
    const response = device.sign((await options(user)).body)
    expect(await prove(other, { passkey: response })).toMatchObject(
      refused(401, 'PasskeyChallengeError'),
    )
    const again = device.sign((await options(user)).body)
    await expectProved(user, { passkey: again })
    expect(await prove(user, { passkey: again })).toMatchObject(
      refused(401, 'PasskeyChallengeError'),
    )
  })

  it('takes no passkey of another account, nor a challenge of something else', async () => {
    const user = await auth.signedInUser()
    const { device } = await passkeys.enrol(user)
    const stranger = await auth.signedInUser()
    const theirs = await passkeys.enrol(stranger)
    const asked = (await options(user)).body
    const { credentialId: id } = theirs
    const allowCredentials = [{ id, type: 'public-key', transports: [] }]
    const foreign = theirs.device.sign({ ...asked, allowCredentials })
    expect(await prove(user, { passkey: foreign })).toMatchObject(
      refused(401, 'PasskeyVerificationError'),
    )
    const ofLogin = device.sign(await passkeys.loginOptions())
    expect(await prove(user, { passkey: ofLogin })).toMatchObject(
      refused(401, 'PasskeyChallengeError'),
    )
  })

  it('has nothing to ask an authenticator for where the account has no passkey', async () => {
    const user = await auth.signedInUser()
    expect(await options(user)).toMatchObject(refused(404, 'PasskeyNotFoundError'))
  })

  it('renews it by a code that would sign in, sent to the proven address', async () => {
    const user = await userOfOldSession()
    const code = await auth.requestCode(user.email)
    await expectProved(user, { code })
    expect(await prove(user, { code })).toMatchObject(refused(400, 'InvalidVerificationCodeError'))
    const other = await auth.requestCode(user.email, 'password_reset')
    expect(await prove(user, { code: other })).toMatchObject(
      refused(400, 'InvalidVerificationCodeError'),
    )
  })

  it('sends no code to a number while there is a proven email address, and takes none', async () => {
    const user = await userOfOldSession()
    const phone = '+12025550142'
    const set = (values: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(values).where(eq(users.userId, user.userId))
    await set({ phone, phoneVerifiedAt: clock.now() })
    const code = await auth.requestCode(phone)
    expect(await prove(user, { code })).toMatchObject(refused(400, 'InvalidVerificationCodeError'))
    await set({ emailVerifiedAt: null })
    await expectProved(user, { code })
  })

  it('refuses a wrong password and a wrong code, writes both down, and nothing is proved', async () => {
    const user = await userOfOldSession()
    expect(await prove(user, { password: 'wrong' })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    expect(await prove(user, { code: '000000' })).toMatchObject(
      refused(400, 'InvalidVerificationCodeError'),
    )
    expect(await ask(user)).toMatchObject(notRecent)
    await done(prove(user, { password: user.password }))
    const root = await auth.signedInUser({ role: 'superadmin' })
    const query = { act: 'recent.proved', actor: user.userId }
    const { body } = await call('listAuditEvents', undefined, root.key, { query })
    const told = body.data.map(({ outcome, details }: { outcome: string; details: object }) => ({
      outcome,
      ...details,
    }))
    expect(told).toEqual([
      { outcome: 'done', method: 'password' },
      { outcome: 'refused', method: 'code' },
      { outcome: 'refused', method: 'password' },
    ])
  })

  it('takes exactly one of the three', async () => {
    const user = await auth.signedInUser()
    const both = { password: user.password, code: '000000' }
    for (const proof of [{}, both]) {
      expect(await prove(user, proof)).toMatchObject(refused(400, 'ValidationError'))
    }
  })

  it('is no second factor: where there is one, that is proved first (decisions 16)', async () => {
    const user = await enrolledUser(auth)
    clock.advance('11m')
    const given = { password: user.password }
    expect(await prove(user, given)).toMatchObject(refused(403, 'StepUpRequiredError'))
    await done(call('mfaStepUp', { code: user.code() }, user.key))
    expect(await ask(user)).toMatchObject(notRecent)
    expect(await prove(user, given)).toMatchObject({ status: 204 })
    expect(await ask(user)).toMatchObject({ status: 200 })
  })

  it('stays with the key that revokeAllKeys spares, for as long as before (decisions 16)', async () => {
    const user = await userOfOldSession()
    await done(prove(user, { password: user.password }))
    clock.advance(10 * 60_000 - 1)
    expect(await call('revokeAllKeys', {}, user.key)).toMatchObject({ status: 200 })
    expect(await ask(user)).toMatchObject({ status: 200 })
    clock.advance(1)
    expect(await ask(user)).toMatchObject(notRecent)
  })

  it('is refused to a machine, and to a token of before device keys', async () => {
    const user = await auth.signedInUser()
    const machine = await machineOf(auth, user)
    const forbidden = refused(403, 'ForbiddenError')
    expect(await prove({ key: machine }, { password: user.password })).toMatchObject(forbidden)
    const authorization = `Bearer ${await issueLegacyToken(user.userId)}`
    const given = { password: user.password }
    const legacy = call('proveRecent', given, undefined, { headers: { authorization } })
    expect(await legacy).toMatchObject(forbidden)
  })

  it('proves nothing once the password was changed meanwhile', async () => {
    const user = await userOfOldSession()
    const owner = { ...user, key: await auth.signIn(user) }
    const newPassword = 'a quite different pass phrase'
    await done(call('changePassword', { currentPassword: user.password, newPassword }, owner.key))
    expect(await prove(user, { password: user.password })).toMatchObject({ status: 401 })
    expect(await prove(owner, { password: user.password })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
  })
})

describe('the windows of a proof', () => {
  it('are variables: that of passkeys is the common one unless it is set (A-234)', async () => {
    const common = { SVC_AUTH_RECENT_AUTH_MINUTES: '2' }
    const own = { ...common, SVC_AUTH_PASSKEY_RECENT_AUTH_MINUTES: '4' }
    for (const [env, passkeyMinutes] of [
      [common, 2],
      [own, 4],
    ] as const) {
      const short = await startTestAuth({ env: { ...withKeyring(), ...env } })
      const { key } = await short.signedInUser()
      short.clock.advance('2m')
      expect(await short.call('mfaTotpEnroll', {}, key)).toMatchObject(notRecent)
      const status = passkeyMinutes > 2 ? 200 : 403
      expect(await short.call('passkeyRegisterOptions', {}, key)).toMatchObject({ status })
      await short.stop()
    }
  })
})
