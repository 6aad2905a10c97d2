import { defineRouter, route, t } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from './accounts/schema.ts'
import type { AuthOptions } from './lifecycle.ts'
import { type OAuthProvider, ProviderRefusalError } from './providers/providers.ts'
import { getUserRole } from './roles/roles.ts'
import { suspendUser } from './suspension/suspension.ts'
import { createTestKey, startTestAuth, type TestAuth, testPassword } from './testing.ts'

const ofUser = { params: t.Object({ userId: t.String() }) }
const router = defineRouter({
  roleOf: route
    .get('/role/:userId')
    .input(ofUser)
    .skip(['auth'])
    .handler(async (c) => ({ role: await getUserRole((await c.data()).params.userId) })),
  suspend: route
    .post('/suspend/:userId')
    .input(ofUser)
    .skip(['auth'])
    .handler(async (c) => {
      await suspendUser((await c.data()).params.userId)
      return {}
    }),
})

/** An email provider's account of that name, in one application only. */
const providerOf = (id: string): OAuthProvider => ({
  id,
  web: true,
  getAuthUrl: () => `https://${id}.test`,
  exchangeCode: () => Promise.reject(new ProviderRefusalError('not asked here')),
  getIdentity: () => Promise.reject(new ProviderRefusalError('not asked here')),
})

const registered: string[] = []
const optionsOf = (name: string): AuthOptions => ({
  beforeRegister: ({ email }) => void registered.push(`${name} ${email}`),
  providers: [providerOf(`only-${name}`)],
  enforcePasswordChange: name === 'second',
})

const first = await startTestAuth({ router, options: optionsOf('first') })
const second = await startTestAuth({ router, options: optionsOf('second') })
afterAll(() => Promise.all([first.stop(), second.stop()]))

describe('two applications in one process', () => {
  it.each([
    ['the one that started first', first, second],
    ['the one that started last', second, first],
  ])(
    'do not meet: a function that takes an id alone asks %s, whose request it is',
    async (_, own, other) => {
      const user = await own.signedInUser()
      const read = await own.server.fetch(`/role/${user.userId}`)
      expect(await read.json()).toEqual({ role: 'user' })
      const elsewhere = await other.server.fetch(`/role/${user.userId}`)
      expect(await elsewhere.json()).toEqual({ role: null })

      expect((await own.server.fetch(`/suspend/${user.userId}`, { method: 'POST' })).status).toBe(
        200,
      )
      expect((await own.call('listKeys', {}, user.key)).status).toBe(401)
    },
  )

  it('have hooks of their own', async () => {
    const email = 'new@example.com'
    const verificationToken = await second.verificationToken(email, 'registration')
    const key = await createTestKey()
    const opened = await second.call('register', {
      email,
      verificationToken,
      password: testPassword,
      ...key.registration,
    })
    expect(opened).toMatchObject({ status: 200 })
    expect(registered).toEqual([`second ${email}`])
  })

  it('have providers of their own', async () => {
    const idsOf = async ({ call }: TestAuth) =>
      (await call('providers')).body.providers
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => id.startsWith('only-'))
    expect(await idsOf(first)).toEqual(['only-first'])
    expect(await idsOf(second)).toEqual(['only-second'])
  })

  it('have rules of their own', async () => {
    for (const [auth, status] of [
      [first, 200],
      [second, 403],
    ] as const) {
      const { userId, key } = await auth.signedInUser()
      await auth.auth.db
        .update(users)
        .set({ passwordChangeRequired: true })
        .where(eq(users.userId, userId))
      expect((await auth.call('getUserProfile', undefined, key)).status).toBe(status)
    }
  })

  it('are told apart outside of a request: a function that takes an id alone refuses', async () => {
    const { userId } = await first.signedInUser()
    await expect(getUserRole(userId)).rejects.toThrow('it is not clear which of them is meant')
    expect(await first.server.within(() => getUserRole(userId))).toBe('user')
    expect(await second.server.within(() => getUserRole(userId))).toBeNull()
  })
})
