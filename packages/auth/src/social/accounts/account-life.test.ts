import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { stepsOf } from '../../contact/testing/contact.ts'
import { deletionPurge } from '../../deletion/deletion.ts'
import { deletionOf } from '../../deletion/testing/deletion.ts'
import { oauthUnlinkedEvent } from '../../events.ts'
import { enrol, withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { refused } from '../../test-answers.ts'
import { startTestAuth } from '../../testing.ts'
import { dumpTables } from '../../trials/attacks/dump-tables.ts'
import { testBrowser } from '../browser/testing/test-browser.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'
import { linksOf } from './testing/test-links.ts'

const school = testProvider('life-school')
const club = testProvider('life-club')
const auth = await startTestAuth({
  env: withKeyring(),
  options: { deletion: { graceDays: 3 } },
})
const { db } = auth.auth
afterAll(() => auth.stop())
const { enter, add, linkOf, secretsOf, list } = linksOf(auth)
const { request, cancel, statusOf, actsOf } = deletionOf(auth)
const { newEmail, changed, undo } = stepsOf(auth)

const reasons: [string, string, string][] = []
oauthUnlinkedEvent.subscribe(({ userId, provider, reason }) => {
  reasons.push([userId, provider, reason])
})

const pendingOf = async (userId: string) =>
  (await db.execute(sql`select from svc_auth.oauth_pending where user_id = ${userId}`)).rows.length

describe('a change of address that is undone', () => {
  it('takes away who was linked in the three days before it or since', async () => {
    const user = await auth.signedInUser()
    const { who: thief } = await add(school, user)
    const token = await changed(user, newEmail())
    const { who: another } = await add(club, user)
    expect(await undo(token)).toMatchObject({ status: 200 })
    for (const provider of [school, club]) expect(await linkOf(user.userId, provider)).toBeNull()
    expect(reasons.filter(([userId]) => userId === user.userId)).toEqual([
      [user.userId, school.id, 'contact_undo'],
      [user.userId, club.id, 'contact_undo'],
    ])
    expect((await enter(school, thief)).userId).not.toBe(user.userId)
    expect((await enter(club, another)).userId).not.toBe(user.userId)
  })

  it('leaves what has been linked for longer', async () => {
    const user = await auth.signedInUser()
    const { who } = await add(school, user)
    auth.clock.advance('4d')
    const token = await changed(user, newEmail())
    expect(await undo(token)).toMatchObject({ status: 200 })
    expect((await enter(school, who)).userId).toBe(user.userId)
  })
})

describe('an account that is about to be deleted', () => {
  it('keeps nothing that a provider has given, and its links for an owner who comes back', async () => {
    const user = await auth.signedInUser()
    const { userId, email, password } = user
    const { who } = await add(school, user)
    expect(await secretsOf(userId)).toHaveLength(2)
    expect(await request(user)).toMatchObject({ status: 200 })
    expect(await secretsOf(userId)).toEqual([])

    const browser = testBrowser(auth, school)
    await browser.leave()
    expect((await browser.arrive(who)).failure).toBe('account_unavailable')
    expect(await secretsOf(userId)).toEqual([])
    expect(await cancel({ email, password })).toMatchObject({ status: 204 })
    expect((await enter(school, who)).userId).toBe(userId)
  })

  it('has no link and no waiting sign-in once it is purged', async () => {
    const user = await auth.signedInUser()
    const { userId } = user
    const { who } = await add(school, user)
    const browser = testBrowser(auth, school)
    await browser.leave()
    await browser.arrive(who)
    expect(await pendingOf(userId)).toBe(1)
    await request(user)
    expect(await dumpTables(db)).toContain(who.providerUserId)
    auth.clock.advance('3d')
    await deletionPurge.enqueue()
    await expect.poll(() => statusOf(userId), { timeout: 10_000 }).toBe('deleted')
    expect(await pendingOf(userId)).toBe(0)
    expect(await dumpTables(db)).not.toContain(who.providerUserId)
    // A user who comes from there now is a new one.
    expect((await enter(school, who)).userId).not.toBe(userId)
  })
})

describe('the export of an account', () => {
  it('has the accounts elsewhere, and nothing that a provider has given', async () => {
    const user = await auth.signedInUser()
    const { who } = await add(school, user)
    const sealed = await secretsOf(user.userId)
    const { body } = await auth.call('exportUserData', undefined, user.key)
    const at = auth.clock.now().toISOString()
    expect(body.socialAccounts).toEqual([
      { provider: school.id, providerUserId: who.providerUserId, linkedAt: at, lastUsedAt: at },
    ])
    const said = JSON.stringify([body, await list(user)])
    for (const secret of [...sealed, ...school.secrets]) expect(said).not.toContain(secret)
  })
})

describe('the deletion of an account that has neither a password nor an address', () => {
  const ask = (key: Parameters<typeof auth.call>[2], body: object = {}) =>
    auth.call('requestAccountDeletion', body, key)

  it('takes a sign-in of a moment ago in the place of both (A-160)', async () => {
    const who = somebody()
    const { userId, key } = await enter(school, who)
    auth.clock.advance('1h')
    expect(await ask(key)).toMatchObject(refused(403, 'RecentAuthenticationRequiredError'))
    expect(await ask(key, { password: 'a guess' })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    expect(await statusOf(userId)).toBe('active')
    const again = await enter(school, who)
    expect(await ask(again.key)).toMatchObject({ status: 200 })
    expect(await statusOf(userId)).toBe('pending_deletion')
    expect((await actsOf(userId)).map(({ outcome }) => outcome)).toEqual([
      'refused',
      'refused',
      'done',
    ])
  })

  it('still takes a code where there is an address, and a second factor (A-160)', async () => {
    const { userId, key } = await enter(school, somebody({ email: 'has-one@example.com' }))
    expect(await ask(key)).toMatchObject(refused(400, 'ValidationError'))
    expect(await statusOf(userId)).toBe('active')

    const user = await enrol(auth, await auth.signedInUser())
    const none = { passwordHash: null, email: null, emailVerifiedAt: null }
    await db.update(users).set(none).where(eq(users.userId, user.userId))
    auth.clock.advance('1h')
    expect(await ask(user.key)).toMatchObject(refused(403, 'StepUpRequiredError'))
    expect(await statusOf(user.userId)).toBe('active')
  })
})
