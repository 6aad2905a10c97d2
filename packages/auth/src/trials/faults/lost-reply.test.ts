import { createTestDatabase } from '@svc/core/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { agentOptions, testAgents } from '../../oauth2/testing/test-agent.ts'
import { createTestKey, startTestAuth, type TestKey, testPassword } from '../../testing.ts'
import { startPostgresProxy } from './postgres-proxy.ts'

const database = await createTestDatabase()
const proxy = await startPostgresProxy(database.url)
const auth = await startTestAuth({ ...agentOptions, env: { DATABASE_URL: proxy.url } })
afterAll(async () => {
  await auth.stop()
  proxy.stop()
  await database.drop()
})

const { db } = auth.auth

/** Calls an operation that is done, and whose answer says that nobody knows. */
async function unheard(...call: Parameters<typeof auth.call>) {
  const shot = proxy.take({ commit: 1 })
  const answer = await auth.call(...call)
  proxy.lower()
  expect(shot.hasHit).toBe(true)
  expect(answer).toMatchObject({
    status: 503,
    body: { error: { code: 'ServiceUnavailableError' } },
  })
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
}

const statusWith = async (key: TestKey) =>
  (await auth.call('getAuthSession', undefined, key)).status

describe('an operation whose answer was lost, sent again', () => {
  it('login: the key signs already, and signing in again is a success', async () => {
    const { userId, email } = await auth.createUser()
    const key = await createTestKey()
    const login = { email, password: testPassword, ...key.registration }
    await unheard('login', login)

    expect(await statusWith(key)).toBe(200)
    expect(await auth.call('login', login)).toMatchObject({ status: 200, body: { userId } })
    expect(await auth.keysOf(userId)).toHaveLength(1)
  })

  it('rotateKey: the old key is over, and the new one may say it again', async () => {
    const { userId, key } = await auth.signedInUser()
    const next = await createTestKey()
    await unheard('rotateKey', next.registration, key)

    expect((await auth.call('rotateKey', next.registration, key)).status).toBe(401)
    expect(await auth.call('rotateKey', next.registration, next)).toMatchObject({
      status: 200,
      body: { keyId: next.keyId },
    })
    expect(await auth.keysOf(userId)).toHaveLength(2)
  })

  it('a refresh: seconds later, its client gets the tokens that it has not heard of (R40)', async () => {
    const agents = testAgents(auth)
    const agent = await agents.register()
    const { refresh_token } = await agents.tokens(await auth.signedInUser(), agent)
    const shot = proxy.take({ commit: 1 })
    const lost = await agents.refresh(agent, refresh_token)
    proxy.lower()
    expect([shot.hasHit, lost.status]).toEqual([true, 503])

    auth.clock.advance('2s')
    const again = await agents.refresh(agent, refresh_token)
    expect(again).toMatchObject({ status: 200, body: { expires_in: 3598 } })
    expect((await agents.refresh(agent, again.body.refresh_token)).status).toBe(200)
  })

  it('revokeKey: the key has ended, and the answer is what it would have been', async () => {
    const user = await auth.signedInUser()
    const { keyId } = await auth.signIn(user)
    await unheard('revokeKey', { keyId }, user.key)

    expect(await auth.call('revokeKey', { keyId }, user.key)).toMatchObject({
      status: 200,
      body: { keyId, selfRevoked: false },
    })
  })

  it('logout: the key has ended, which the refusal of the second says too', async () => {
    const { userId, key } = await auth.signedInUser()
    await unheard('logout', undefined, key)

    expect(await auth.call('logout', undefined, key)).toMatchObject({
      status: 401,
      body: { error: { code: 'UnauthorizedError' } },
    })
    expect(await auth.keysOf(userId)).toMatchObject([{ state: 'revoked', revokedReason: 'logout' }])
  })

  it('revokeAllKeys: no key is left to revoke, and the device that asks stays', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    await unheard('revokeAllKeys', {}, user.key)

    expect(await auth.call('revokeAllKeys', {}, user.key)).toMatchObject({
      status: 200,
      body: { revokedCount: 0, currentKeyRevoked: false },
    })
    expect([await statusWith(user.key), await statusWith(other)]).toEqual([200, 401])
  })

  it('changePassword: the current password is the new one by now', async () => {
    const user = await auth.signedInUser()
    const newPassword = 'another horse battery staple'
    const change = { currentPassword: user.password, newPassword }
    await unheard('changePassword', change, user.key)

    expect(await auth.call('changePassword', change, user.key)).toMatchObject({
      status: 401,
      body: { error: { code: 'InvalidCredentialsError' } },
    })
    expect(await statusWith(user.key)).toBe(200)
    await auth.signIn({ email: user.email, password: newPassword })
    const [row] = await db.select().from(users).where(eq(users.userId, user.userId))
    expect(row?.generation).toBe(1)
  })
})
