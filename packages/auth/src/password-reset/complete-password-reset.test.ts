import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { keyRevokedEvent, loginEvent, passwordResetEvent } from '../events.ts'
import { chosenPassword } from '../links/testing/links.ts'
import { reactivateUser, suspendUser } from '../suspension/suspension.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { bytes, invalidLink, invalidSession, refused, resetOf } from './testing/reset.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const { db } = auth.auth
const { open, finish, token, secret, stateOf, rowOf, change, userWith, sessionOf } = resetOf(auth)

describe('completePasswordReset', () => {
  it('sets the password, signs every device out and the new key in (A-126, A-127, A-177)', async () => {
    const user = await auth.signedInUser()
    const { email, userId, publicId } = user
    const other = await auth.signIn(user)
    const setupSecret = await secret(email)
    const key = await createTestKey()
    const answer = await finish(setupSecret, { key })
    expect(answer.status).toBe(200)
    const facts = { userId, publicId, email, passwordChangeRequired: false }
    const knownBrowser = expect.any(String)
    expect(answer.body).toEqual({ mfaRequired: false, knownBrowser, ...facts })

    expect(await sessionOf(key)).toMatchObject({ status: 200, body: { userId } })
    expect([(await sessionOf(user.key)).status, (await sessionOf(other)).status]).toEqual([
      401, 401,
    ])
    const keys = (await auth.keysOf(userId)).map(({ keyId, revokedReason }) => [
      keyId,
      revokedReason,
    ])
    expect(Object.fromEntries(keys)).toEqual({
      [user.key.keyId]: 'password_reset',
      [other.keyId]: 'password_reset',
      [key.keyId]: null,
    })
    expect(await stateOf(email)).toEqual(['spent'])
    await auth.signIn({ email, password: chosenPassword })
    const old = { email, password: user.password, ...(await createTestKey()).registration }
    expect(await auth.call('login', old)).toMatchObject(refused(401, 'InvalidCredentialsError'))
  })

  it('stamps the address as proved, and clears what asked for another password (A-128)', async () => {
    const { email } = await userWith({ emailVerifiedAt: null, passwordChangeRequired: true })
    const answer = await finish(await secret(email))
    expect(answer).toMatchObject({ status: 200, body: { passwordChangeRequired: false } })
    expect(await rowOf(email)).toMatchObject({
      emailVerifiedAt: auth.clock.now(),
      passwordChangeRequired: false,
    })
  })

  it('leaves it as it was when the address was proved (A-128)', async () => {
    const proved = new Date('2020-01-01T00:00:00Z')
    const { email } = await userWith({ emailVerifiedAt: proved })
    await finish(await secret(email))
    expect(await rowOf(email)).toMatchObject({ emailVerifiedAt: proved })
  })

  it('tells of the reset after the commit, and of what followed (A-129)', async () => {
    const { email, userId, key } = await auth.signedInUser()
    const setupSecret = await secret(email)
    const told: [string, unknown][] = []
    const before = (await rowOf(email))?.passwordHash
    const leaving = [
      passwordResetEvent.subscribe(async (payload) => {
        const hash = (await rowOf(email))?.passwordHash
        told.push(['reset', payload], ['hash is another', hash !== before])
      }),
      keyRevokedEvent.subscribe((payload) => void told.push(['revoked', payload])),
      loginEvent.subscribe(({ userId: who }) => void told.push(['login', who])),
    ]
    await finish(setupSecret)
    for (const leave of leaving) leave()
    const reason = 'password_reset'
    expect(told).toHaveLength(4)
    expect(told).toEqual(
      expect.arrayContaining([
        ['reset', { userId }],
        ['hash is another', true],
        ['revoked', { userId, keyIds: [key.keyId], reason }],
        ['login', userId],
      ]),
    )
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.target, userId))
    expect(trail.map(({ act }) => act)).toContain('password.reset')
  })

  it('with a key id that is taken changes nothing, tells of nothing and leaves the session (A-126, A-129)', async () => {
    const { key: taken } = await auth.signedInUser()
    const user = await auth.signedInUser()
    const before = await rowOf(user.email)
    const setupSecret = await secret(user.email)
    const told = vi.fn<(payload: unknown) => void>()
    const leaving = [passwordResetEvent, keyRevokedEvent, loginEvent].map((each) =>
      each.subscribe(told),
    )
    const answer = await finish(setupSecret, { key: taken })
    for (const leave of leaving) leave()

    expect(answer).toMatchObject(refused(409, 'KeyIdAlreadyRegisteredError'))
    expect(told).not.toHaveBeenCalled()
    expect(await rowOf(user.email)).toEqual(before)
    expect(await auth.keysOf(user.userId)).toMatchObject([{ state: 'active' }])
    expect(await sessionOf(user.key)).toMatchObject({ status: 200 })
    expect(await stateOf(user.email)).toEqual(['opened'])
    expect(await auth.messagesTo(user.email)).toHaveLength(1)
    expect((await finish(setupSecret)).status).toBe(200)
  })

  it('leaves everything as it was when the password is too weak (A-130)', async () => {
    const user = await auth.signedInUser()
    const before = await rowOf(user.email)
    const setupSecret = await secret(user.email)
    for (const password of ['short', 'password1234', user.email, 'x'.repeat(257)]) {
      const answer = await finish(setupSecret, { password })
      expect(answer).toMatchObject(refused(400, 'WeakPasswordError'))
    }
    expect(await rowOf(user.email)).toEqual(before)
    expect(await sessionOf(user.key)).toMatchObject({ status: 200 })
    expect((await finish(setupSecret)).status).toBe(200)
  })

  it('does not take the account’s own username for a password', async () => {
    const { email } = await userWith({ username: 'adalovelace1815' })
    const answer = await finish(await secret(email), { password: 'AdaLovelace1815' })
    expect(answer).toMatchObject(refused(400, 'WeakPasswordError'))
  })

  it('refuses a session that is unknown, expired or used, all alike (A-100)', async () => {
    const used = await secret((await auth.createUser()).email)
    expect((await finish(used)).status).toBe(200)
    const late = await auth.createUser()
    const expired = await secret(late.email)
    auth.clock.advance('15m')
    const answers = await Promise.all(
      ['x'.repeat(43), '', used, expired].map((setupSecret) => finish(setupSecret)),
    )
    for (const answer of answers) expect(answer).toMatchObject(invalidSession)
    expect(new Set(answers.map(bytes)).size).toBe(1)
    await auth.signIn(late)
  })

  it('takes no link’s token: confirming cannot be left out', async () => {
    const user = await auth.createUser()
    const link = await token(user.email)
    expect(await finish(link)).toMatchObject(invalidSession)
    expect(await open(link)).toMatchObject({ status: 200 })
    await auth.signIn(user)
  })

  it.each<[string, (user: Awaited<ReturnType<typeof auth.signedInUser>>) => Promise<unknown>]>([
    [
      'the password was changed elsewhere',
      ({ key, password }) =>
        auth.call(
          'changePassword',
          { currentPassword: password, newPassword: 'changed elsewhere 1' },
          key,
        ),
    ],
    ['every device was signed out', ({ key }) => auth.call('revokeAllKeys', {}, key)],
    ['the account was suspended', ({ userId }) => suspendUser(userId)],
    [
      'it was suspended and reactivated',
      async ({ userId }) => {
        await suspendUser(userId)
        await reactivateUser(userId)
      },
    ],
    ['it waits to be deleted', ({ userId }) => change(userId, { status: 'pending_deletion' })],
  ])('refuses a session once %s, and its link', async (_how, happens) => {
    const user = await auth.signedInUser()
    const setupSecret = await secret(user.email)
    const linked = await auth.signedInUser()
    const link = await token(linked.email)
    await happens(user)
    await happens(linked)
    const before = await db.select().from(users).where(eq(users.userId, user.userId))

    expect(await finish(setupSecret)).toMatchObject(invalidSession)
    expect(await open(link)).toMatchObject(invalidLink)
    expect(await db.select().from(users).where(eq(users.userId, user.userId))).toEqual(before)
  })
})

// An address is changed with a sign-out everywhere, which is not looked at here.
it('a session of an address that the account has no more sets no password', async () => {
  const { email, userId } = await auth.createUser()
  const setupSecret = await secret(email)
  await change(userId, { email: `${userId}@example.com`, emailVerifiedAt: null })
  expect(await finish(setupSecret)).toMatchObject(invalidSession)
  expect(await rowOf(`${userId}@example.com`)).toMatchObject({ emailVerifiedAt: null })
})
