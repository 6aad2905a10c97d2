import { afterAll, describe, expect, it } from 'vitest'
import { keyRevokedEvent, passwordChangedEvent } from '../events.ts'
import { createTestKey, startTestAuth, type TestUser, testPassword } from '../testing.ts'

const auth = await startTestAuth()
afterAll(auth.stop)

const newPassword = 'a quite different pass phrase'

function change(user: TestUser, body: object = {}) {
  const given = { currentPassword: user.password, newPassword, ...body }
  return auth.call('changePassword', given, user.key)
}

async function login(email: string, password: string) {
  const { registration } = await createTestKey()
  return (await auth.call('login', { email, password, ...registration })).status
}

describe('changePassword', () => {
  it('sets the new password and signs every other device out, not the calling one (A-151, A-154)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)

    expect((await change(user)).status).toBe(204)
    expect(await login(user.email, testPassword)).toBe(401)
    expect(await login(user.email, newPassword)).toBe(200)
    expect((await auth.call('getAuthSession', undefined, user.key)).status).toBe(200)
    expect((await auth.call('getAuthSession', undefined, other)).status).toBe(401)
  })

  it('asks for the current password where there is one', async () => {
    const user = await auth.signedInUser()
    for (const currentPassword of [undefined, '', 'wrong password']) {
      expect(await change(user, { currentPassword })).toMatchObject({
        status: 401,
        body: { error: { code: 'InvalidCredentialsError' } },
      })
    }
    expect(await login(user.email, testPassword)).toBe(200)
  })

  it('holds to the policy, the account’s own names included (A-333)', async () => {
    const user = await auth.signedInUser()
    const reasons = async (password: string) =>
      (await change(user, { newPassword: password })).body.reasons

    expect(await reasons('short')).toEqual(['too_short'])
    expect(await reasons('password')).toEqual(['common'])
    expect(await reasons(user.email.toUpperCase())).toEqual(['account_name'])
    expect(await change(user, { newPassword: 'short' })).toMatchObject({
      status: 400,
      body: { error: { code: 'WeakPasswordError' } },
    })
  })

  it('tells what it did, after the commit', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const told: object[] = []
    const subscriptions = [passwordChangedEvent, keyRevokedEvent].map((event) =>
      event.subscribe((payload) => told.push(payload)),
    )
    await change(user)
    for (const unsubscribe of subscriptions) unsubscribe()

    expect(told).toEqual([
      { userId: user.userId, keyIds: [other.keyId], reason: 'password_changed' },
      { userId: user.userId },
    ])
  })

  it('ends what was checked against the old password and is still on its way', async () => {
    const user = await auth.signedInUser()
    // Sixteen sign-ins with the old password are being hashed while it changes.
    const logins = Array.from({ length: 16 }, async () => {
      const key = await createTestKey()
      const { email, password } = user
      const answer = await auth.call('login', { email, password, ...key.registration })
      return { key, status: answer.status }
    })
    const changed = await change(user)
    const answers = await Promise.all(logins)

    expect(changed.status).toBe(204)
    for (const { key } of answers) {
      expect((await auth.call('getAuthSession', undefined, key)).status).toBe(401)
    }
  })
})
