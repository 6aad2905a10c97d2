import { afterAll, describe, expect, it } from 'vitest'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(auth.stop)
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)

describe('signUserOut', () => {
  const signOut = does('signUserOut')

  it('ends every device, and its owner signs in again', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    expect(await signOut(user.userId, { reason: 'A lost laptop' })).toMatchObject({
      status: 200,
      body: { revokedCount: 2 },
    })
    for (const key of [user.key, other]) {
      expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
    }
    const [line] = await trailOf(user.userId)
    expect(line).toMatchObject({
      act: 'user.signed_out',
      actor: admin.userId,
      details: { revokedCount: 2, reason: 'A lost laptop' },
    })
    await auth.signIn(user)
  })

  it('ends one device with the programs that it has added, and leaves the others', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const machine = await createTestKey()
    await auth.proveRecent({ ...user, key: other })
    const made = await auth.call(
      'createMachineKey',
      { ...machine.registration, deviceName: 'CI', permissions: [], expiresInDays: 1 },
      other,
    )
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
    const { keyId } = other
    expect(await signOut(user.userId, { keyId })).toMatchObject({ body: { revokedCount: 2 } })
    const states = (await auth.keysOf(user.userId)).map((key) => [key.keyId, key.state])
    expect(Object.fromEntries(states)).toEqual({
      [user.key.keyId]: 'active',
      [keyId]: 'revoked',
      [machine.keyId]: 'revoked',
    })
    const lines = await trailOf(machine.keyId)
    expect(lines).toContainEqual(
      expect.objectContaining({ act: 'key.revoked', actor: admin.userId }),
    )
  })

  it('refuses a key that is not of the account, and ends nothing', async () => {
    const [user, foreign] = [await auth.signedInUser(), await auth.signedInUser()]
    for (const keyId of [foreign.key.keyId, admin.key.keyId, 'no such key']) {
      expect(await signOut(user.userId, { keyId })).toMatchObject(refused(404, 'KeyNotFoundError'))
    }
    expect(await auth.call('getAuthSession', undefined, foreign.key)).toMatchObject({ status: 200 })
    expect(await signOut(root.userId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await auth.call('getAuthSession', undefined, root.key)).toMatchObject({ status: 200 })
  })
})

describe('requireNewPassword', () => {
  const demand = does('requireNewPassword')

  it('is told at the next sign-in, until the password is changed', async () => {
    const user = await auth.signedInUser()
    expect(await demand(user.userId)).toMatchObject({ status: 204 })
    expect(await read(user.userId)).toMatchObject({ body: { mustChangePassword: true } })
    const session = () => auth.call('getAuthSession', undefined, user.key)
    expect(JSON.stringify((await session()).body)).toContain('"passwordChangeRequired":true')
    await auth.call(
      'changePassword',
      { currentPassword: user.password, newPassword: 'another horse battery staple' },
      user.key,
    )
    expect(await read(user.userId)).toMatchObject({ body: { mustChangePassword: false } })
  })

  it('refuses an account without a password', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { passwordHash: null })
    expect(await demand(userId)).toMatchObject(refused(409, 'ConflictError'))
    expect(await read(userId)).toMatchObject({ body: { mustChangePassword: false } })
    expect(await demand(root.userId)).toMatchObject(refused(403, 'ForbiddenError'))
  })
})
