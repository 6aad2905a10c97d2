import { randomUUID } from 'node:crypto'
import { ValidationError } from '@svc/core'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { UserNotFoundError } from '../accounts/errors.ts'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { keyRevokedEvent } from '../events.ts'
import { requestLink } from '../links/links.ts'
import { mailedLinks } from '../links/schema.ts'
import { stepsOf } from '../links/testing/links.ts'
import { sendLinkMail } from '../running/link-mail-job.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestAnswer, type TestUser } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'
import { createRevokeAllLink, mailRevokeAllLink } from './revoke-all.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth

const refusal = { status: 404, body: { error: { code: 'RevokeAllLinkError' } } }
const confirm = (token: string) => auth.call('confirmRevokeAllLink', { token })
const consume = (token: string) => auth.call('consumeRevokeAllLink', { token })
const linksOf = (userId: string) =>
  db.select().from(mailedLinks).where(eq(mailedLinks.subject, userId))
const inMinutes = (minutes: number) =>
  new Date(auth.clock.now().getTime() + minutes * 60_000).toISOString()
const sessionOf = (key: TestUser['key']) => auth.call('getAuthSession', undefined, key)

async function linkFor(userId: string) {
  const { url } = await createRevokeAllLink(userId)
  return new URL(url).searchParams.get('token') as string
}

/** A refusal without what no two answers have in common. */
const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

describe('createRevokeAllLink', () => {
  it('answers the address of the app’s page with a token, and when it ends (A-210, A-212)', async () => {
    const { userId } = await auth.createUser()
    const { url, ...rest } = await createRevokeAllLink(userId)
    expect(url).toMatch(/^http:\/\/localhost:3790\/account\/revoke-all\?token=[\w-]{43}$/)
    expect(rest).toEqual({ expiresAt: inMinutes(30) })
    const longer = await createRevokeAllLink(userId, { ttlMinutes: 90 })
    expect(longer.expiresAt).toBe(inMinutes(90))
    expect(await auth.messagesTo(userId)).toEqual([])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e15, 5e9, '30'])(
    'refuses a link of %s minutes, and writes nothing (A-222, A-354)',
    async (ttlMinutes) => {
      const { userId } = await auth.createUser()
      const link = await linkFor(userId)
      const given = { ttlMinutes: ttlMinutes as number }
      await expect(createRevokeAllLink(userId, given)).rejects.toThrow(ValidationError)
      await expect(mailRevokeAllLink(userId, given)).rejects.toThrow(ValidationError)
      expect(await linksOf(userId)).toHaveLength(1)
      expect((await confirm(link)).status).toBe(200)
    },
  )

  it.each([randomUUID(), 'nobody', ''])(
    'refuses a user that there is not: %s (A-223)',
    async (userId) => {
      const before = await db.$count(mailedLinks)
      await expect(createRevokeAllLink(userId)).rejects.toThrow(UserNotFoundError)
      await expect(mailRevokeAllLink(userId)).rejects.toThrow(UserNotFoundError)
      expect(await db.$count(mailedLinks)).toBe(before)
    },
  )

  it('supersedes the earlier link (A-221)', async () => {
    const { userId, key } = await auth.signedInUser()
    const earlier = await linkFor(userId)
    const later = await linkFor(userId)
    expect(await confirm(earlier)).toMatchObject(refusal)
    expect(await consume(earlier)).toMatchObject(refusal)
    expect((await sessionOf(key)).status).toBe(200)
    expect(await consume(later)).toMatchObject({ status: 200, body: { revokedCount: 1 } })
  })

  it('stores a hash, and logs and queues nothing (A-052, A-211)', async () => {
    const { userId } = await auth.createUser()
    const link = await linkFor(userId)
    const rows = await dumpTables(db)
    expect(rows).toContain(userId)
    expect(rows).not.toContain(link)
    expect(JSON.stringify(auth.logged)).not.toContain(link)
    expect(await linksOf(userId)).toMatchObject([
      { tokenHash: expect.stringMatching(/^[\da-f]{64}$/) },
    ])
  })
})

describe('mailRevokeAllLink', () => {
  it('mails nothing that was ordered before the account was signed out everywhere (A-220)', async () => {
    const { userId, email, key } = await auth.signedInUser()
    const now = auth.clock.now()
    const expiresAt = new Date(now.getTime() + 60_000)
    const link = { purpose: 'revoke_all' as const, subject: userId, userId, generation: 0 }
    const id = await db.transaction((tx) => requestLink(tx, { ...link, expiresAt, now }))
    await auth.call('revokeAllKeys', {}, key)
    await sendLinkMail(auth.auth.db, { kind: 'revoke_all', id })
    expect(await auth.messagesTo(email)).toEqual([])
    expect(await linksOf(userId)).toMatchObject([{ state: 'requested', tokenHash: null }])
  })

  it('mails it to the proven address, in the language of the account (A-211)', async () => {
    const { userId, email } = await auth.signedInUser()
    await db.update(users).set({ locale: 'ko' }).where(eq(users.userId, userId))
    const link = await auth.linkSentBy(
      async () => {
        const answer = await mailRevokeAllLink(userId, { ttlMinutes: 5 })
        expect(answer).toEqual({ expiresAt: inMinutes(5) })
      },
      email,
      'revoke-all',
    )
    const [message] = await auth.messagesTo(email)
    expect(message?.subject).toMatch(/로그아웃/)
    expect(message?.text).toContain('/account/revoke-all?token=')
    expect(await consume(link)).toMatchObject({ status: 200, body: { revokedCount: 1 } })
  })

  it('mails it to no address that was not proved', async () => {
    const { userId, email } = await auth.createUser()
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.userId, userId))
    await mailRevokeAllLink(userId)
    await expect.poll(() => linksOf(userId)).toMatchObject([{ state: 'spent', tokenHash: null }])
    expect(await auth.messagesTo(email)).toEqual([])
  })
})

describe('confirmRevokeAllLink', () => {
  it('answers what it would do, and changes nothing (A-204)', async () => {
    const user = await auth.signedInUser()
    await auth.signIn(user)
    const link = await linkFor(user.userId)
    const before = [await auth.keysOf(user.userId), await linksOf(user.userId)]
    for (let tries = 0; tries < 3; tries++) {
      const { status, body } = await confirm(link)
      expect({ status, body }).toEqual({
        status: 200,
        body: { expiresAt: inMinutes(30), activeKeyCount: 2 },
      })
    }
    expect([await auth.keysOf(user.userId), await linksOf(user.userId)]).toEqual(before)
  })
})

describe('consumeRevokeAllLink', () => {
  it('signs every device out, once, and leaves the password (A-052, A-205, A-219)', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const link = await linkFor(user.userId)
    const told: unknown[] = []
    const leave = keyRevokedEvent.subscribe((payload) => void told.push(payload))
    const { status, body } = await consume(link)
    leave()
    expect({ status, body }).toEqual({ status: 200, body: { revokedCount: 2 } })

    for (const key of [user.key, other]) expect((await sessionOf(key)).status).toBe(401)
    expect(told).toMatchObject([{ userId: user.userId, reason: 'revoke_all_link' }])
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.target, user.userId))
    expect(trail).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          act: 'revoke_all_link.consumed',
          actor: null,
          address: '127.0.0.1',
          details: { revokedCount: 2 },
        }),
      ]),
    )
    const again = await auth.signIn(user)
    expect(await consume(link)).toMatchObject(refusal)
    expect((await sessionOf(again)).status).toBe(200)
  })

  it('takes the token in the body and nowhere else (A-204, A-205)', async () => {
    const { userId, key } = await auth.signedInUser()
    const link = await linkFor(userId)
    for (const operation of ['confirm', 'consume']) {
      const path = `/_auth/keys/revoke-all/${operation}`
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        const inPath = await auth.fetch(`${path}/${link}`, { method })
        const inQuery = await auth.fetch(`${path}?token=${link}`, { method })
        expect(inPath.status).toBe(404)
        expect(inQuery.status).toBeGreaterThanOrEqual(400)
      }
    }
    expect((await sessionOf(key)).status).toBe(200)
    expect((await confirm(link)).status).toBe(200)
  })

  it('ends after 30 minutes, to the millisecond (A-210)', async () => {
    const { userId } = await auth.createUser()
    const link = await linkFor(userId)
    auth.clock.advance(30 * 60_000 - 1)
    expect((await confirm(link)).status).toBe(200)
    auth.clock.advance(1)
    expect(await confirm(link)).toMatchObject(refusal)
    expect(await consume(link)).toMatchObject(refusal)
  })

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    [
      'a password reset completes',
      async ({ email }) => {
        const { finish, secret } = stepsOf(auth, 'reset')
        return finish(await secret(email))
      },
    ],
    [
      'the password changes',
      ({ key, password }) =>
        auth.call(
          'changePassword',
          { currentPassword: password, newPassword: 'another horse battery' },
          key,
        ),
    ],
    ['revokeAllKeys spares the current key', ({ key }) => auth.call('revokeAllKeys', {}, key)],
    [
      'revokeAllKeys spares none',
      ({ key }) => auth.call('revokeAllKeys', { includeCurrent: true }, key),
    ],
    [
      'a deletion is requested',
      ({ key, password }) => auth.call('requestAccountDeletion', { password }, key),
    ],
    ['the account is suspended', ({ userId }) => suspendUser(userId)],
  ])('is dead once %s (A-220)', async (_what, happens) => {
    const user = await auth.signedInUser()
    const link = await linkFor(user.userId)
    await happens(user)
    const before = await auth.keysOf(user.userId)
    expect(await confirm(link)).toMatchObject(refusal)
    expect(await consume(link)).toMatchObject(refusal)
    expect(await auth.keysOf(user.userId)).toEqual(before)
  })

  it('outlives the sign-out of a single device', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const link = await linkFor(user.userId)
    await auth.call('logout', undefined, other)
    expect(await consume(link)).toMatchObject({ status: 200, body: { revokedCount: 1 } })
  })

  it('and confirming refuse every fault of a link alike (A-365)', async () => {
    const expired = await linkFor((await auth.createUser()).userId)
    auth.clock.advance('30m')
    // Those made from here on have not expired.
    const spent = await linkFor((await auth.createUser()).userId)
    await consume(spent)
    const { userId } = await auth.createUser()
    const superseded = await linkFor(userId)
    await linkFor(userId)
    const moved = await auth.signedInUser()
    const outrun = await linkFor(moved.userId)
    await auth.call('revokeAllKeys', { includeCurrent: true }, moved.key)
    const suspended = await auth.createUser()
    const dead = await linkFor(suspended.userId)
    await suspendUser(suspended.userId)

    const tokens = ['', 'x'.repeat(43), spent, superseded, outrun, dead, expired]
    const answers = await Promise.all(tokens.flatMap((each) => [confirm(each), consume(each)]))
    for (const answer of answers) expect(answer).toMatchObject(refusal)
    expect(new Set(answers.map(bytes)).size).toBe(1)
  })
})

it('ten times a minute an address may look at links or consume them, together (A-224)', async () => {
  const limited = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
  const { userId } = await limited.createUser()
  const { url } = await limited.within(() => createRevokeAllLink(userId))
  const token = new URL(url).searchParams.get('token')
  const statuses: number[] = []
  for (let tries = 0; tries < 5; tries++) {
    statuses.push((await limited.call('confirmRevokeAllLink', { token })).status)
    statuses.push((await limited.call('consumeRevokeAllLink', { token: 'unknown' })).status)
  }
  expect(statuses).toEqual([200, 404, 200, 404, 200, 404, 200, 404, 200, 404])
  for (const name of ['confirmRevokeAllLink', 'consumeRevokeAllLink'] as const)
    expect(await limited.call(name, { token })).toMatchObject({
      status: 429,
      body: { error: { code: 'TooManyRequestsError' } },
    })
  limited.clock.advance('1m')
  expect((await limited.call('consumeRevokeAllLink', { token })).status).toBe(200)
  await limited.stop()
})
