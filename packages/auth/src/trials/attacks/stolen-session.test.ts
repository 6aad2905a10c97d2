import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { bindingOf } from '../../key-binding/testing/binding.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../../testing.ts'

// Whoever has a device that is signed in, and not the password, must put nothing into the account that outlives it.
const auth = await startTestAuth({ env: withKeyring() })
afterAll(() => auth.stop())
const { call, clock } = auth
const { db } = auth.auth
const passkeys = passkeysOf(auth)
const binding = bindingOf(auth)

const tooLongAgo = { status: 403, body: { error: { code: 'RecentAuthenticationRequiredError' } } }
const newPassword = 'a quite different pass phrase'

/** A device that its owner has signed in on, and left signed in. */
async function stolenDevice() {
  const user = await auth.signedInUser()
  clock.advance('11m')
  return user
}

/** One whose proof is fresh for a minute more. */
async function almostTooLate() {
  const user = await auth.signedInUser()
  clock.advance('9m')
  return user
}

/** Has the device approve another one, or itself. */
async function approved(by: TestKey, { registration }: TestKey) {
  const { deviceCode, userCode } = (await call('startDeviceAuth', registration)).body
  expect(await call('approveDeviceAuth', { userCode }, by)).toMatchObject({ status: 200 })
  expect(await call('pollDeviceAuth', { deviceCode })).toMatchObject({ status: 200 })
}

async function expectNothingPutIn(key: TestKey) {
  expect(await call('passkeyRegisterOptions', {}, key)).toMatchObject(tooLongAgo)
  expect(await call('mfaTotpEnroll', {}, key)).toMatchObject(tooLongAgo)
}

async function withoutPassword({ userId }: TestUser) {
  await db.update(users).set({ passwordHash: null }).where(eq(users.userId, userId))
}

describe('a device that was taken while it was signed in', () => {
  it('approves no device that has signed in more lately than itself (A-234)', async () => {
    const { key } = await almostTooLate()
    const another = await createTestKey()
    await approved(key, another)
    clock.advance('1m')
    await expectNothingPutIn(another)
  })

  it('does not approve itself into having just signed in (A-234)', async () => {
    const { key } = await almostTooLate()
    await approved(key, key)
    clock.advance('1m')
    await expectNothingPutIn(key)
  })

  it('approves none that outlives the window of its own binding (A-255)', async () => {
    const bound = await binding.boundUser()
    const another = await createTestKey()
    await approved(bound.key, another)
    const window = await call('getSessionBinding', undefined, bound.key)
    expect(window.body).toMatchObject({ mode: 'passkey' })
    const handedOn = await call('getSessionBinding', undefined, another)
    expect(handedOn.body).toEqual(window.body)
  })

  it('hands on what its owner has just proved', async () => {
    const { key } = await auth.signedInUser()
    const another = await createTestKey()
    await approved(key, another)
    expect(await call('passkeyRegisterOptions', {}, another)).toMatchObject({ status: 200 })
  })

  it('sets no first password, which would then be the current one', async () => {
    const user = await stolenDevice()
    await withoutPassword(user)
    expect(await call('changePassword', { newPassword }, user.key)).toMatchObject(tooLongAgo)
  })

  it('puts no address of its own into an account without a password, which would then sign in', async () => {
    const user = await stolenDevice()
    await withoutPassword(user)
    const email = `thief-${user.userId}@example.com`
    const verificationToken = await auth.verificationToken(email, 'email_change')
    expect(await call('changeEmail', { email, verificationToken }, user.key)).toMatchObject(
      tooLongAgo,
    )
  })

  it('makes no passkey the factor that its owner may have lost (A-234)', async () => {
    const user = await auth.signedInUser()
    const { passkeyId } = await passkeys.enrol(user)
    clock.advance('11m')
    const mark = { passkeyId, secondFactor: true }
    expect(await call('mfaMarkPasskey', mark, user.key)).toMatchObject(tooLongAgo)
    const given = { ...mark, currentPassword: user.password }
    expect(await call('mfaMarkPasskey', given, user.key)).toMatchObject({ status: 200 })
  })
})
