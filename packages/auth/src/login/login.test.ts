import { afterAll, describe, expect, it } from 'vitest'
import { createTestKey, startTestAuth, testPassword } from '../testing.ts'

const auth = await startTestAuth()
afterAll(auth.stop)

describe('login', () => {
  it('registers the key of the device, which signs from then on (A-146, A-167)', async () => {
    const user = await auth.createUser()
    const key = await createTestKey()
    const answer = await auth.call('login', {
      email: user.email,
      password: testPassword,
      ...key.registration,
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { mfaRequired: false, userId: user.userId, publicId: user.publicId, email: user.email },
    })
    const session = await auth.call('getAuthSession', undefined, key)
    expect(session).toMatchObject({ status: 200, body: { userId: user.userId, keyId: key.keyId } })
  })
})

describe('logout', () => {
  it('revokes the key that signed it, and the next request with it is refused (A-148)', async () => {
    const { key } = await auth.signedInUser()
    expect(await auth.call('logout', undefined, key)).toMatchObject({ status: 204 })
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({
      status: 401,
      body: { error: { code: 'UnauthorizedError' } },
    })
  })
})
