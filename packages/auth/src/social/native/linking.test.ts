import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { reactivateUser, suspendUser } from '../../suspension/suspension.ts'
import { done, refused } from '../../test-answers.ts'
import { createTestKey, type TestKey, testPassword } from '../../testing.ts'
import { socialAccounts } from '../accounts/accounts.ts'
import { startNative } from './testing/test-native.ts'

const auth = await startNative()
afterAll(auth.stop)
const { call, openid, signInAs, createUser, signedInUser } = auth
const { db } = auth.auth
beforeEach(() => openid.setUser({ sub: 'nobody', email: undefined }))

const claims = (changes: Record<string, unknown> = {}) => ({
  sub: randomUUID(),
  email: `${randomUUID()}@example.com`,
  email_verified: true,
  ...changes,
})
const signs = async (key: TestKey) => (await call('getAuthSession', undefined, key)).status === 200
const accountsAt = (email: string) => db.select().from(users).where(eq(users.email, email))
const linksOf = (sub: string) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.providerUserId, sub))

/** All that there is of accounts, links and keys. */
async function everything() {
  const [accounts, links] = await Promise.all([
    db.select().from(users),
    db.select().from(socialAccounts),
  ])
  const keys = await Promise.all(accounts.map(({ userId }) => auth.keysOf(userId)))
  return JSON.stringify([accounts, links, keys])
}

/** The account with its address, as if it had never been proved. */
async function unprovedUser() {
  const user = await createUser()
  await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, user.userId))
  return user
}

describe('an address that an account has', () => {
  it('finds it where both sides have proved it, however it is spelt (A-293)', async () => {
    const { userId, email, key } = await signedInUser()
    const ada = claims({ email: email.toUpperCase() })
    const device = await createTestKey()
    const answer = await signInAs(ada, device)
    expect(answer).toMatchObject({ status: 200, body: { userId, email, isNewUser: false } })
    expect(await linksOf(ada.sub)).toMatchObject([{ userId, provider: 'google' }])
    expect([await signs(device), await signs(key)]).toEqual([true, true])
  })

  it.each([false, undefined, null, 'true', 1])(
    'finds nothing where the provider says that it is verified: %s (A-359)',
    async (verified) => {
      const { email } = await signedInUser()
      const before = await everything()
      const key = await createTestKey()
      const answer = await signInAs(claims({ email, email_verified: verified }), key)
      expect(answer).toMatchObject(refused(400, 'UnverifiedEmailLinkError'))
      expect(await everything()).toBe(before)
      expect(await signs(key)).toBe(false)
    },
  )

  it('finds nothing that an attacker has opened with it and a password, and never proved (A-042, A-359)', async () => {
    const user = await unprovedUser()
    const attacker = await auth.signIn(user)
    const before = await everything()
    const { email } = user
    expect(await signInAs(claims({ email }))).toMatchObject(
      refused(400, 'UnverifiedEmailLinkError'),
    )
    expect(await everything()).toBe(before)
    // The owner of the address takes the account over by proving it, which signs the attacker out.
    const ask = () => call('requestPasswordReset', { email })
    const token = await auth.linkSentBy(ask, email, 'password-reset')
    const { setupSecret } = await done(call('confirmPasswordReset', { token }))
    const own = await createTestKey()
    const fresh = { setupSecret, password: 'a pass phrase of the owner', ...own.registration }
    await done(call('completePasswordReset', fresh))
    expect(await signs(attacker)).toBe(false)
    const attempt = { email, password: testPassword, ...(await createTestKey()).registration }
    expect((await call('login', attempt)).status).toBe(401)
    const { userId } = user
    expect(await signInAs(claims({ email }))).toMatchObject({ status: 200, body: { userId } })
  })

  it('finds nothing that another account of the provider is linked to (A-359)', async () => {
    const first = claims()
    await done(signInAs(first))
    const answer = await signInAs(claims({ email: first.email }))
    expect(answer).toMatchObject(refused(409, 'AnotherSocialAccountLinkedError'))
    // A user who has not proved the address is told what everyone is told.
    const stranger = claims({ email: first.email, email_verified: false })
    expect(await signInAs(stranger)).toMatchObject(refused(400, 'UnverifiedEmailLinkError'))
  })

  it('finds the same account from two providers (A-293)', async () => {
    const { email } = await createUser()
    const { userId } = await done(signInAs(claims({ email })))
    const key = await createTestKey()
    const sub = randomUUID()
    const nonce = createHash('sha256').update(key.registration.fingerprint).digest('hex')
    const hers = claims({ sub, email, aud: auth.appleApp, nonce })
    const answer = await auth.show('apple', key, { idToken: await openid.issueIdToken(hers) })
    expect(answer).toMatchObject({ status: 200, body: { userId, isNewUser: false } })
    expect(await linksOf(sub)).toMatchObject([{ userId, provider: 'apple' }])
  })

  it.each([
    ['ı', 'i'],
    ['İ', 'i'],
    ['ﬁ', 'fi'],
    ['ｉ', 'i'],
    ['\u212A', 'k'],
    ['ⅰ', 'i'],
    ['ſ', 's'],
    ['а', 'a'],
  ])('finds no account by %s, which is not %s (A-359)', async (letter, plain) => {
    const email = `${randomUUID()}${plain}@example.com`
    const { userId } = await createUser({ email })
    const lookalike = claims({ email: email.replace(`${plain}@`, `${letter}@`) })
    const answer = await signInAs(lookalike)
    expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
    expect(answer.body.userId).not.toBe(userId)
    expect(await db.$count(socialAccounts, eq(socialAccounts.userId, userId))).toBe(0)
  })
})

describe('an address without an account', () => {
  it('is taken over where it is verified, and left alone where it is not (A-293)', async () => {
    const [verified, unverified] = [claims(), claims({ email_verified: false })]
    expect((await done(signInAs(verified))).email).toBe(verified.email)
    expect(await done(signInAs(unverified))).not.toHaveProperty('email')
    expect(await accountsAt(unverified.email)).toEqual([])
    expect((await accountsAt(verified.email))[0]?.emailVerifiedAt).toEqual(auth.clock.now())
  })

  it('opens an account of its own for a user without an address (A-293)', async () => {
    const answer = await signInAs({ sub: randomUUID(), email: undefined })
    expect(answer).toMatchObject({ status: 200, body: { isNewUser: true } })
    expect(answer.body).not.toHaveProperty('email')
  })

  it('does not move with the one at the provider (A-293)', async () => {
    const ada = claims()
    const { userId } = await done(signInAs(ada))
    const other = await createUser()
    const again = await signInAs({ ...ada, email: other.email })
    expect(again).toMatchObject({ status: 200, body: { userId, email: ada.email } })
  })
})

describe('an account that cannot sign in', () => {
  it('is suspended: neither by its link nor by its address (A-293)', async () => {
    const linked = claims()
    const { userId } = await done(signInAs(linked))
    const byAddress = await createUser()
    await suspendUser(userId)
    await suspendUser(byAddress.userId)
    for (const who of [linked, claims({ email: byAddress.email })]) {
      const key = await createTestKey()
      expect(await signInAs(who, key)).toMatchObject(refused(403, 'AccountDisabledError'))
      expect(await signs(key)).toBe(false)
    }
    expect(await db.$count(socialAccounts, eq(socialAccounts.userId, byAddress.userId))).toBe(0)
    await reactivateUser(userId)
    expect(await signInAs(linked)).toMatchObject({ status: 200, body: { userId } })
  })

  it('waits for its deletion: neither by its link nor by its address (A-293)', async () => {
    const { email, key } = await signedInUser()
    const linked = claims({ email })
    const { userId } = await done(signInAs(linked))
    await done(call('requestAccountDeletion', { password: testPassword }, key))
    const refusal = refused(403, 'AccountPendingDeletionError')
    expect(await signInAs(linked)).toMatchObject(refusal)
    await db.delete(socialAccounts).where(eq(socialAccounts.userId, userId))
    expect(await signInAs(claims({ email }))).toMatchObject(refusal)
    expect(await db.$count(socialAccounts, eq(socialAccounts.userId, userId))).toBe(0)
  })
})
