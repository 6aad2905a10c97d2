import { defineRouter, route } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { configureAuth } from '../configure-auth.ts'
import { createTestKey, startTestAuth } from '../testing.ts'

const auth = await startTestAuth({
  router: defineRouter({ own: route.get('/own').handler(() => 'own') }),
  options: { roles: [{ name: 'clerk', displayName: 'Clerk', priority: 20 }] },
})
afterAll(auth.stop)
afterEach(() => configureAuth({ enforcePasswordChange: false }))

describe('getAuthSession', () => {
  it('answers the current session and user (A-152)', async () => {
    const { userId, publicId, email, key } = await auth.signedInUser()
    const answer = await auth.call('getAuthSession', undefined, key)

    expect(answer.body).toEqual({
      userId,
      publicId,
      email,
      emailVerified: true,
      phoneVerified: false,
      locale: 'en',
      status: 'active',
      hasPassword: true,
      passwordChangeRequired: false,
      role: { name: 'user', displayName: expect.any(String), priority: 10 },
      roles: [{ name: 'user', displayName: expect.any(String), priority: 10 }],
      permissions: ['auth:self:manage'],
      keyId: key.keyId,
      keyExpiresAtMillis: auth.clock.now().getTime() + 90 * 86_400_000,
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })
})

describe('an account', () => {
  it('has one of the built-in roles, or one of the application (A-045)', async () => {
    for (const role of ['user', 'admin', 'superadmin', 'clerk']) {
      const { key } = await auth.signedInUser({ role })
      expect((await auth.call('getAuthSession', undefined, key)).body.role.name).toBe(role)
    }
  })

  it('remembers when its address was proven (A-043)', async () => {
    const email = 'proven@example.com'
    const key = await createTestKey()
    const verificationToken = await auth.verificationToken(email, 'registration')
    const body = { email, password: 'a long enough password', verificationToken }
    const { userId } = (await auth.call('register', { ...body, ...key.registration })).body
    const [row] = await auth.auth.db.select().from(users).where(eq(users.userId, userId))

    expect(row?.emailVerifiedAt).toEqual(auth.clock.now())
    expect((await auth.call('getAuthSession', undefined, key)).body.emailVerified).toBe(true)
    await auth.auth.db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, userId))
    expect((await auth.call('getAuthSession', undefined, key)).body.emailVerified).toBe(false)
  })
})

describe('enforcePasswordChange', () => {
  it('leaves an account that has to change its password little else to do', async () => {
    const { userId, key, password } = await auth.signedInUser()
    await auth.auth.db
      .update(users)
      .set({ passwordChangeRequired: true })
      .where(eq(users.userId, userId))
    const own = async () => {
      const sign = auth.signerOf(key)
      const url = `${auth.url}/own`
      return (await fetch(url, { headers: await sign({ method: 'GET', url }) })).json()
    }
    expect(await own()).toBe('own')
    configureAuth({ enforcePasswordChange: true })

    expect(await own()).toMatchObject({ error: { code: 'PasswordChangeRequiredError' } })
    expect((await auth.call('issueOneTimeToken', undefined, key)).status).toBe(403)
    expect((await auth.call('getAuthSession', undefined, key)).status).toBe(200)
    expect((await auth.call('listKeys', {}, key)).status).toBe(200)
    const body = { currentPassword: password, newPassword: 'another long enough password' }
    expect((await auth.call('changePassword', body, key)).status).toBe(204)
    expect(await own()).toBe('own')
  })
})
