import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { users } from '../accounts/schema.ts'
import { dumpTables } from '../attacks/dump-tables.ts'
import { auditEvents } from '../audit/schema.ts'
import { keyRevokedEvent, loginEvent, passwordResetEvent } from '../events.ts'
import { mailedLinks } from '../links/schema.ts'
import { chosenPassword, stepsOf } from '../links/test-links.ts'
import { reactivateUser } from '../suspension/reactivate-user.ts'
import { suspendUser } from '../suspension/suspend-user.ts'
import { createTestKey, startTestAuth, type TestAnswer, testPassword } from '../testing.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())

const { db } = auth.auth
const { ask, open, finish, token, secret } = stepsOf(auth, 'reset')

const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
const invalidLink = refused(401, 'PasswordResetLinkError')
const invalidSession = refused(401, 'PasswordResetSessionError')
const linksOf = (email: string) =>
  db.select().from(mailedLinks).where(eq(mailedLinks.subject, email))
const stateOf = async (email: string) => (await linksOf(email)).map(({ state }) => state)
const inMinutes = (minutes: number) =>
  new Date(auth.clock.now().getTime() + minutes * 60_000).toISOString()

async function rowOf(email: string) {
  const [row] = await db.select().from(users).where(eq(users.email, email))
  return row
}

const change = (userId: string, changes: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(changes).where(eq(users.userId, userId))

async function userWith(changes: Partial<typeof users.$inferInsert>) {
  const user = await auth.createUser()
  await change(user.userId, changes)
  return user
}

/** A refusal without what no two answers have in common. */
const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

const sessionOf = (key: Parameters<typeof auth.call>[2]) =>
  auth.call('getAuthSession', undefined, key)

describe('requestPasswordReset', () => {
  it('answers when the link ends, and nothing else (A-175, A-178)', async () => {
    const answer = await auth.fetch('/_auth/password/reset', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@example.com' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, expiresAt: inMinutes(30) })
  })

  it('mails the link of its own template, in the language of the account (A-183)', async () => {
    const { email } = await userWith({ locale: 'ko' })
    const message = await auth.sentBy(() => ask(` ${email.toUpperCase()}`), email, 'password-reset')
    expect(message.text).toMatch(/\/password\/reset\?token=[\w-]{43}\s/)
    expect(message.subject).toMatch(/비밀번호/)
  })

  it.each([
    ['whose address is proved', { emailVerifiedAt: new Date() }],
    ['without a password, whose address is proved', { passwordHash: null }],
    ['with a password, whose address is not proved', { emailVerifiedAt: null }],
  ])('mails an active account %s (A-123)', async (_which, changes) => {
    const { email } = await userWith(changes)
    expect(await open(await token(email))).toMatchObject({ status: 200, body: { email } })
  })

  it.each([
    // What a provider says of an address is no proof of it.
    ['of a provider that has not proved it', { passwordHash: null, emailVerifiedAt: null }],
    ['that is suspended', { status: 'suspended' as const }],
    ['that waits to be deleted', { status: 'pending_deletion' as const }],
    ['that is deleted', { status: 'deleted' as const }],
  ])('mails nothing to an account %s (A-123, A-124)', async (_which, changes) => {
    const { email } = await userWith(changes)
    expect(await ask(email)).toMatchObject({ status: 200 })
    await vi.waitFor(async () => expect(await stateOf(email)).toEqual(['spent']))
    expect(await linksOf(email)).toMatchObject([{ tokenHash: null }])
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('mails nothing to an address without an account', async () => {
    const email = 'absent@example.com'
    await ask(email)
    await vi.waitFor(async () => expect(await stateOf(email)).toEqual(['spent']))
    expect(await auth.messagesTo(email)).toEqual([])
  })

  it('again is the resend: the earlier link and its session are dead (A-180)', async () => {
    const { email } = await auth.createUser()
    const first = await token(email)
    const second = await auth.linkSentBy(() => ask(email.toUpperCase()), email, 'password-reset')
    expect(await open(first)).toMatchObject(invalidLink)
    const { setupSecret } = (await open(second)).body
    await ask(email)
    expect(await finish(setupSecret)).toMatchObject(invalidSession)
    await auth.signIn({ email, password: testPassword })
  })

  it('signs nobody out, whoever asks', async () => {
    const { email, key } = await auth.signedInUser()
    await secret(email)
    expect(await sessionOf(key)).toMatchObject({ status: 200 })
    await auth.signIn({ email, password: testPassword })
  })
})

describe('confirmPasswordReset', () => {
  it('spends the link, and opens a setup session (A-176)', async () => {
    const { email } = await auth.createUser()
    const link = await auth.linkSentBy(() => ask(email, '/inbox'), email, 'password-reset')
    const { status, body } = await open(link)
    expect(status).toBe(200)
    expect(body).toEqual({
      email,
      returnPath: '/inbox',
      setupSecret: expect.stringMatching(/^[\w-]{43}$/),
      setupExpiresAt: inMinutes(15),
    })
    expect(await stateOf(email)).toEqual(['opened'])
  })

  it('refuses an unknown, an expired, a spent and a superseded link, and one of an account that has changed, all alike', async () => {
    const spent = await token((await auth.createUser()).email)
    await open(spent)
    const { email } = await auth.createUser()
    const superseded = await token(email)
    await token(email)
    const expired = await token((await auth.createUser()).email)
    auth.clock.advance('30m')
    const suspended = await auth.createUser()
    const linkOfSuspended = await token(suspended.email)
    await suspendUser(suspended.userId)

    const answers = await Promise.all(
      ['x'.repeat(43), '', spent, superseded, expired, linkOfSuspended].map((each) => open(each)),
    )
    for (const answer of answers) expect(answer).toMatchObject(invalidLink)
    expect(new Set(answers.map(bytes)).size).toBe(1)
  })

  it('takes a link until the moment that the request named', async () => {
    const { email } = await auth.createUser()
    const link = await token(email)
    auth.clock.advance(30 * 60_000 - 1)
    expect(await open(link)).toMatchObject({ status: 200 })
  })
})

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
    expect(answer.body).toEqual({ mfaRequired: false, ...facts })

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

  it('refuses a session that is unknown, expired or used, all alike', async () => {
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

describe('what is stored', () => {
  it('is no token and no secret, before and after their use (A-051)', async () => {
    const { email } = await auth.createUser()
    const link = await token(email)
    const before = await dumpTables(db)
    const { setupSecret } = (await open(link)).body
    const between = await dumpTables(db)
    await finish(setupSecret)
    const rows = [before, between, await dumpTables(db)].join('\n')
    expect(rows).toContain(email)
    expect(rows).not.toContain(link)
    expect(rows).not.toContain(setupSecret)
    const [row] = await linksOf(email)
    expect([row?.tokenHash, row?.setupHash]).toEqual([
      expect.stringMatching(/^[\da-f]{64}$/),
      expect.stringMatching(/^[\da-f]{64}$/),
    ])
  })

  it('opens nothing in the other flow: neither link, nor secret (A-051)', async () => {
    const signup = stepsOf(auth, 'signup')
    const { email } = await auth.createUser()
    const newcomer = 'crossing@example.com'
    expect(await signup.open(await token(email))).toMatchObject(
      refused(400, 'InvalidSignupLinkError'),
    )
    expect(await open(await signup.token(newcomer))).toMatchObject(invalidLink)
    expect(await signup.finish(await secret(email))).toMatchObject(
      refused(401, 'InvalidSignupSetupSessionError'),
    )
    expect(await finish(await signup.secret(newcomer))).toMatchObject(invalidSession)
    expect(await rowOf(newcomer)).toBeUndefined()
    await auth.signIn({ email, password: testPassword })
  })
})
