import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { createTestKey, startTestAuth, testPassword } from '../../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth
const other = await auth.signedInUser()

/** Whatever a member of the account's row, of its key's or of its role's could be called. */
const extras = {
  role: 'superadmin',
  roleId: crypto.randomUUID(),
  rolePriority: 1000,
  permissions: ['rbac:role:manage'],
  status: 'deleted',
  emailVerifiedAt: null,
  email_verified_at: null,
  phoneVerifiedAt: '2030-01-01T00:00:00Z',
  emailVerified: false,
  userId: other.userId,
  user_id: other.userId,
  publicId: other.publicId,
  generation: 99,
  passwordHash: '$2b$04$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  passwordChangeRequired: true,
  secondFactorSince: '2030-01-01T00:00:00Z',
  secondFactorProvedAt: '2030-01-01T00:00:00Z',
  state: 'pending',
  expiresAt: '2099-01-01T00:00:00Z',
  createdAt: '1999-01-01T00:00:00Z',
  lastLoginAt: '1999-01-01T00:00:00Z',
  constructor: { prototype: { role: 'superadmin' } },
  account: { role: 'superadmin' },
}

const accountOf = async (userId: string) => {
  const [row] = await db.select().from(users).where(eq(users.userId, userId))
  return row
}

/** What the operation is there to change; everything else must be as it was. */
const operations = {
  updateUsername: [{ username: 'a.new.one' }, ['username']],
  updateLocale: [{ locale: 'ko-KR' }, ['locale']],
  updateUserProfile: [{ displayName: 'A new one' }, []],
  listKeys: [{ includeRevoked: true }, []],
  revokeKey: [{ keyId: other.key.keyId }, []],
  revokeAllKeys: [{}, ['generation']],
  changePassword: [
    { currentPassword: testPassword, newPassword: 'another one, just as long' },
    ['passwordHash', 'generation'],
  ],
} as const

describe('members that an operation does not name', () => {
  it.each(Object.entries(operations))('change nothing: %s', async (name, [body, changes]) => {
    const { userId, key } = await auth.signedInUser()
    const before = await accountOf(userId)
    const otherBefore = await accountOf(other.userId)
    const named = name as keyof typeof operations
    const { status } = await auth.call(named, { ...extras, ...body }, key)
    expect(status).toBeLessThan(500)
    const after = await accountOf(userId)
    const changed = Object.keys(after ?? {}).filter((member) => {
      const [was, is] = [before, after].map((row) => row?.[member as keyof typeof row])
      return JSON.stringify(was) !== JSON.stringify(is)
    })
    expect(new Set(changed)).toEqual(new Set<string>(changes))
    expect(after?.generation ?? 0).toBeLessThan(2)
    expect(await accountOf(other.userId)).toEqual(otherBefore)
    expect(await auth.keysOf(other.userId)).toHaveLength(1)
  })

  it('give a rotated key no owner, state or life but its own', async () => {
    const { userId, key } = await auth.signedInUser()
    const successor = await createTestKey()
    const body = { ...extras, ...successor.registration }
    expect(await auth.call('rotateKey', body, key)).toMatchObject({ status: 200 })
    const row = (await auth.keysOf(userId)).find(({ keyId }) => keyId === successor.keyId)
    const expiresAt = new Date(auth.clock.now().getTime() + 90 * 86_400_000)
    expect(row).toMatchObject({ state: 'active', expiresAt, secondFactorProvedAt: null })
  })

  it('give a login no other account, and its key no life but its own', async () => {
    const { email, userId } = await auth.createUser()
    const { registration } = await createTestKey()
    const body = { ...extras, email, password: testPassword, ...registration }
    expect(await auth.call('login', body)).toMatchObject({ status: 200, body: { userId } })
    const [row] = await auth.keysOf(userId)
    const expiresAt = new Date(auth.clock.now().getTime() + 90 * 86_400_000)
    expect(row).toMatchObject({ state: 'active', expiresAt, secondFactorProvedAt: null })
  })
})

describe('the id of another user', () => {
  it('lists nothing of theirs, in the body or in the query', async () => {
    const { key } = await auth.signedInUser()
    const { userId } = other
    const { body } = await auth.call('listKeys', { userId }, key, { query: { userId } })
    expect(body.keys.map((each: { keyId: string }) => each.keyId)).toEqual([key.keyId])
  })

  it('is answered as one that no account has, to the byte', async () => {
    const { key } = await auth.signedInUser()
    const [theirs, nobodys] = await Promise.all(
      [other.key.keyId, `key-${crypto.randomUUID()}`].map((keyId) =>
        auth.call('revokeKey', { keyId }, key),
      ),
    )
    const comparable = (answer: typeof theirs) => [
      answer?.status,
      JSON.stringify(answer?.body).replace(/"requestId":"[^"]+"/, ''),
    ]
    expect(comparable(theirs)).toEqual(comparable(nobodys))
    expect(theirs?.status).toBe(404)
  })
})
