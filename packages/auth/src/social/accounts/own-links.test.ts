import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { issueLegacyToken } from '../../authenticate/authenticate.ts'
import { oauthLinkedEvent, oauthUnlinkedEvent } from '../../events.ts'
import { enrol, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { done, refused } from '../../test-answers.ts'
import { startTestAuth, testPassword } from '../../testing.ts'
import { proxyCookie, testBrowser } from '../browser/testing/test-browser.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'
import { linksOf } from './testing/test-links.ts'

const school = testProvider('own-school')
const club = testProvider('own-club')
const SVC_AUTH_JWT_SECRET = 'a secret for requests that no device key signs'
const auth = await startTestAuth({ env: { ...withKeyring(), SVC_AUTH_JWT_SECRET } })
const { db } = auth.auth
afterAll(() => auth.stop())
const { enter, ask, sentToLink, add, put, linkOf, remove, list } = linksOf(auth)
const passkeys = passkeysOf(auth)

const told: [string, unknown][] = []
for (const event of [oauthLinkedEvent, oauthUnlinkedEvent]) {
  event.subscribe((payload) => void told.push([event.name, payload]))
}

const set = (userId: string, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))
const noOtherWay = { passwordHash: null, emailVerifiedAt: null }
const lastWay = refused(409, 'LastRecoveryCredentialError')

describe('the owner of an account', () => {
  it('adds a way in: it signs in, the list has it, and the owner is told', async () => {
    const user = await auth.signedInUser()
    const { userId, email } = user
    expect(await list(user)).toEqual([])
    const who = somebody()
    const mail = await auth.sentBy(() => add(school, user, who), email, 'social-linked')
    expect(mail.text).toContain(`Provider: ${school.id}`)

    const { providerUserId } = who
    expect(told.at(-1)).toEqual([
      'auth.oauth.linked',
      { userId, provider: school.id, providerUserId },
    ])
    const [item] = await list(user)
    const at = auth.clock.now().getTime()
    expect(item).toEqual({ provider: school.id, linkedAtMillis: at, lastUsedAtMillis: at })
    expect((await enter(school, who)).userId).toBe(userId)
  })

  it('comes back to the page that was left from, with what was linked', async () => {
    const { arrived } = await add(school, await auth.signedInUser())
    expect(`${arrived.to.pathname}${arrived.to.search}`).toBe(`/account?linked=${school.id}`)
    expect(arrived.headers.getSetCookie().join()).not.toContain('svc_oauth_pending')
  })

  it('removes one: it no longer signs in, and sessions stay', async () => {
    const user = await auth.signedInUser()
    const { userId, email } = user
    const { who } = await add(school, user)
    const mail = await auth.sentBy(() => remove(user, school), email, 'social-unlinked')
    expect(mail.text).toContain(`Provider: ${school.id}`)

    expect(await list(user)).toEqual([])
    const { providerUserId } = who
    const gone = { userId, provider: school.id, providerUserId, reason: 'owner' }
    expect(told.at(-1)).toEqual(['auth.oauth.unlinked', gone])
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.target, userId))
    expect(trail.slice(-2)).toMatchObject([
      { act: 'social.linked', actor: userId, details: { provider: school.id } },
      {
        act: 'social.unlinked',
        actor: userId,
        keyId: user.key.keyId,
        details: { provider: school.id, reason: 'owner' },
      },
    ])
    expect((await enter(school, who)).userId).not.toBe(userId)
    expect(await remove(user, school)).toMatchObject(refused(404, 'SocialAccountNotLinkedError'))
  })

  it('ends sign-ins that came by it and are not finished', async () => {
    const user = await auth.signedInUser()
    const { who } = await add(school, user)
    const visitor = testBrowser(auth, school)
    await visitor.leave()
    await visitor.arrive(who)
    await done(remove(user, school))
    expect(await visitor.finalize()).toMatchObject(refused(401, 'OAuthPendingSessionError'))
  })

  it('sees and removes nothing of another user', async () => {
    const [user, other] = [await auth.signedInUser(), await auth.signedInUser()]
    await add(school, other)
    expect(await list(user)).toEqual([])
    expect(await remove(user, school)).toMatchObject(refused(404, 'SocialAccountNotLinkedError'))
    expect(await linkOf(other.userId, school)).not.toBeNull()
  })

  it('is not told of the way in that a new account was opened with', async () => {
    const email = 'newcomer@example.com'
    const user = await enter(school, somebody({ email }))
    await auth.sentBy(() => add(club, user), email, 'social-linked')
    const said = await auth.messagesTo(email)
    expect(said.map(({ text }) => text)).toEqual([expect.stringContaining(club.id)])
  })

  it('is told when a proved address has added one', async () => {
    const { email, userId } = await auth.createUser()
    const who = somebody({ email })
    const mail = await auth.sentBy(() => enter(school, who), email, 'social-linked')
    expect(mail.text).toContain(school.id)
    expect(await linkOf(userId, school)).not.toBeNull()
  })
})

describe('a device that was taken', () => {
  it('adds and takes away nothing without a sign-in of a moment ago, or the password', async () => {
    const user = await auth.signedInUser()
    await add(school, user)
    auth.clock.advance('1h')
    const recent = refused(403, 'RecentAuthenticationRequiredError')
    const wrong = { currentPassword: 'not the password' }
    for (const refusal of [
      [await ask(club, user.key), recent],
      [await remove(user, school), recent],
      [await ask(club, user.key, wrong), refused(401, 'InvalidCredentialsError')],
      [await remove(user, school, wrong), refused(401, 'InvalidCredentialsError')],
    ]) {
      expect(refusal[0]).toMatchObject(refusal[1] as object)
    }
    expect(await list(user)).toHaveLength(1)
    const right = { currentPassword: testPassword }
    expect(await ask(club, user.key, right)).toMatchObject({ status: 200 })
    expect(await remove(user, school, right)).toMatchObject({ status: 200 })
  })

  it('has to prove the second factor of the account', async () => {
    const user = await enrol(auth, await auth.signedInUser())
    await add(school, user)
    auth.clock.advance('1h')
    const stepUp = refused(403, 'StepUpRequiredError')
    const password = { currentPassword: testPassword }
    expect(await ask(club, user.key, password)).toMatchObject(stepUp)
    expect(await remove(user, school, password)).toMatchObject(stepUp)
    expect(await list(user)).toHaveLength(1)
  })

  it('adds nothing to an account that has signed it out meanwhile', async () => {
    const user = await auth.signedInUser()
    const params = { keyId: user.key.keyId }
    const everywhere = (key = user.key) => auth.call('revokeAllKeys', {}, key)
    const one = async () => auth.call('revokeKey', params, await auth.signIn(user))
    for (const signOut of [one, everywhere]) {
      const key = await auth.signIn(user)
      params.keyId = key.keyId
      const browser = await sentToLink(school, key)
      expect((await signOut(key)).status).toBeLessThan(300)
      expect((await browser.arrive(somebody())).failure).toBe('account_unavailable')
    }
    expect(await linkOf(user.userId, school)).toBeNull()
  })

  it('adds nothing to an account that has a second factor by then', async () => {
    const user = await auth.signedInUser()
    const browser = await sentToLink(school, user.key)
    await enrol(auth, user)
    expect((await browser.arrive(somebody())).failure).toBe('account_unavailable')
    expect(await linkOf(user.userId, school)).toBeNull()
  })
})

describe('a way in is not added', () => {
  it('that is another account’s: nothing has changed on either side', async () => {
    const who = somebody()
    const { userId: owner } = await enter(school, who)
    const user = await auth.signedInUser()
    const before = await linkOf(owner, school)
    const browser = await sentToLink(school, user.key)
    const { failure, to } = await browser.arrive(who)
    expect([failure, to.pathname]).toEqual(['already_linked', '/auth/error'])
    expect(await linkOf(owner, school)).toEqual(before)
    expect(await list(user)).toEqual([])
    expect(await browser.finalize()).toMatchObject({ status: 401 })
  })

  it('by a browser that has not set out (A-273)', async () => {
    const user = await auth.signedInUser()
    const browser = await sentToLink(school, user.key)
    browser.cookies.delete(proxyCookie)
    expect((await browser.arrive(somebody())).failure).toBe('cookie_missing')
    browser.cookies.set(proxyCookie, 'A'.repeat(43))
    expect((await browser.arrive(somebody())).failure).toBe('state_invalid')
    expect(await list(user)).toEqual([])
  })

  it('beside another one of the same provider', async () => {
    const user = await auth.signedInUser()
    const late = await sentToLink(school, user.key)
    const { who } = await add(school, user)
    const twice = refused(409, 'SocialAccountAlreadyLinkedError')
    expect(await ask(school, user.key)).toMatchObject(twice)
    expect((await late.arrive(somebody())).failure).toBe('already_linked')
    expect(await linkOf(user.userId, school)).toMatchObject({ providerUserId: who.providerUserId })
  })

  it('by a request that no device key has signed', async () => {
    const { userId } = await auth.createUser()
    const body = { provider: school.id, returnUrl: '/', currentPassword: testPassword }
    const authorization = `Bearer ${await issueLegacyToken(userId)}`
    const headers = { authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', body: JSON.stringify(body), headers }
    const answer = await auth.fetch('/_auth/social/link', init)
    expect(await answer.json()).toMatchObject({ error: { code: 'ForbiddenError' } })
    expect(answer.status).toBe(403)
  })

  it('of a provider that is not registered, or that browsers cannot sign in with', async () => {
    const { key } = await auth.signedInUser()
    expect(await ask({ id: 'nobody' }, key)).toMatchObject(refused(404, 'NotFoundError'))
    const apps = await ask({ id: 'apple' }, key)
    expect(apps).toMatchObject(refused(400, 'WebSignInUnsupportedError'))
  })
})

describe('the last way in', () => {
  it('stays, whichever it is (R22)', async () => {
    const who = somebody()
    const user = await enter(school, who)
    expect(await remove(user, school)).toMatchObject(lastWay)
    const { passkeyId } = await passkeys.enrol(user)
    expect(await remove(user, school)).toMatchObject({ status: 200 })
    expect(await passkeys.revoke(user, passkeyId)).toMatchObject(lastWay)
    await add(school, user, who)
    expect(await passkeys.revoke(user, passkeyId)).toMatchObject({ status: 200 })
    expect(await remove(user, school)).toMatchObject(lastWay)
    expect(await linkOf(user.userId, school)).not.toBeNull()
  })

  it('may be another provider, but not one that signs in here no more', async () => {
    const user = await auth.signedInUser()
    const { userId } = user
    await set(userId, noOtherWay)
    // Google is not configured on this server.
    await put(userId, { id: 'google' }, 'an-account-there')
    await add(school, user)
    expect(await remove(user, school)).toMatchObject(lastWay)
    await add(club, user)
    expect(await remove(user, { id: 'google' })).toMatchObject({ status: 200 })
    expect(await remove(user, school)).toMatchObject({ status: 200 })
    expect(await remove(user, club)).toMatchObject(lastWay)
  })
})
