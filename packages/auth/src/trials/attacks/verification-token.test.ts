import { afterAll, describe, expect, it } from 'vitest'
import { reactivateUser, suspendUser } from '../../suspension/suspension.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const login = async (email: string, verificationToken: string) => {
  const { registration } = await createTestKey()
  return auth.call('login', { email, verificationToken, ...registration })
}
const refused = { status: 401, body: { error: { code: 'InvalidCredentialsError' } } }

describe('a verification token that was there before', () => {
  it('every device was signed out, does not sign in', async () => {
    const { email, key } = await auth.signedInUser()
    const token = await auth.verificationToken(email)
    await auth.call('revokeAllKeys', {}, key)
    expect(await login(email, token)).toMatchObject(refused)
  })

  it('the password was changed, does not sign in', async () => {
    const { email, key } = await auth.signedInUser()
    const token = await auth.verificationToken(email)
    const passwords = { currentPassword: testPassword, newPassword: 'another one, just as long' }
    expect(await auth.call('changePassword', passwords, key)).toMatchObject({ status: 204 })
    expect(await login(email, token)).toMatchObject(refused)
  })

  it('the account was suspended, does not sign in when that is over', async () => {
    const { email, userId } = await auth.signedInUser()
    const token = await auth.verificationToken(email)
    await suspendUser(userId)
    await reactivateUser(userId)
    expect(await login(email, token)).toMatchObject(refused)
  })
})

it('a verification token that was issued after all devices were signed out is good', async () => {
  const { email, key } = await auth.signedInUser()
  await auth.call('revokeAllKeys', { includeCurrent: true }, key)
  expect(await login(email, await auth.verificationToken(email))).toMatchObject({ status: 200 })
})
