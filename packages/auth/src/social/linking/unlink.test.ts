import { once } from 'node:events'
import { get } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import { oauthUnlinkedEvent } from '../../events.ts'
import { attempts } from '../../limits/schema.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import type { UnlinkRequest } from '../../providers/providers.ts'
import { createTestKey, startTestAuth } from '../../testing.ts'
import { linksOf } from '../accounts/testing/test-links.ts'
import { somebody, testProvider } from '../browser/testing/test-provider.ts'

const seen: UnlinkRequest[] = []
const forms = { throws: 'cannot be read', rejects: 'cannot be asked' }
const silent = testProvider('silent-school')
const school = testProvider('told-school', {
  unlinkNotifyAckStatus: 202,
  // Its signature is the word right.
  verifyUnlinkNotification: (request) => {
    seen.push(request)
    const { headers, fields } = request
    if (fields.has('throws')) throw new Error(forms.throws)
    if (fields.has('rejects')) return Promise.reject(new Error(forms.rejects))
    if (headers.get('x-signature') !== 'right') return null
    const at = fields.get('at')
    const providerUserId = fields.get('who') ?? ''
    return { providerUserId, reason: 'left_school', ...(at && { at: new Date(at) }) }
  },
})

const auth = await startTestAuth({ env: { ...withKeyring(), SVC_RATE_LIMIT: 'on' } })
const { db } = auth.auth
afterAll(() => auth.stop())
const { enter, linkOf, secretsOf } = linksOf(auth)

const told: unknown[] = []
oauthUnlinkedEvent.subscribe((payload) => void told.push(payload))
beforeEach(async () => {
  seen.length = 0
  told.length = 0
  await db.delete(attempts)
})

const pathOf = (provider: string) => `/_auth/oauth/${provider}/unlink-notify`
const form = 'application/x-www-form-urlencoded'
type Fields = Record<string, string>

function notify(fields: Fields | string, headers: Fields = { 'x-signature': 'right' }) {
  const body = String(new URLSearchParams(fields))
  const init = { method: 'POST', body, headers: { 'content-type': form, ...headers } }
  return auth.fetch(pathOf(school.id), init)
}

const rowOf = async (userId: string) =>
  (await db.select().from(users).where(eq(users.userId, userId)))[0]

/** An answer, but for the id of its request. */
async function saidOf(answer: Response) {
  const { message, error } = await answer.json()
  return { status: answer.status, message, error: { ...error, requestId: null } }
}

describe('a notice that is right', () => {
  it('takes the link and its tokens away, and nothing else (A-265, A-283, A-288, A-349)', async () => {
    const who = somebody({ email: 'left@example.com' })
    const { userId, key } = await enter(school, who)
    const before = await rowOf(userId)
    expect(await secretsOf(userId)).toHaveLength(2)

    const answer = await notify({ who: who.providerUserId })
    expect([answer.status, await answer.text()]).toEqual([202, ''])
    expect(await linkOf(userId, school)).toBeNull()
    expect(await secretsOf(userId)).toEqual([])
    expect(await rowOf(userId)).toEqual(before)
    expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 200 })
    const { providerUserId } = who
    expect(told).toEqual([{ userId, provider: school.id, providerUserId, reason: 'left_school' }])
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.target, userId))
    expect(trail.at(-1)).toMatchObject({
      act: 'social.unlinked',
      outcome: 'done',
      actor: null,
      details: { provider: school.id, reason: 'left_school' },
    })
  })

  it('leaves a way to sign in to a user who had no other: a code to the proved address (A-288)', async () => {
    const email = 'only-way@example.com'
    const who = somebody({ email })
    const { userId } = await enter(school, who)
    const tell = () => notify({ who: who.providerUserId })
    const mail = await auth.sentBy(tell, email, 'social-unlinked')
    expect(mail.text).toContain(`Provider: ${school.id}`)
    const verificationToken = await auth.verificationToken(email)
    const { registration } = await createTestKey()
    const login = await auth.call('login', { email, verificationToken, ...registration })
    expect(login).toMatchObject({ status: 200, body: { userId } })
  })

  it('may come as a GET, or twice, or of a user who was never here (A-265, A-307)', async () => {
    const who = somebody()
    const { userId } = await enter(school, who)
    const headers = { 'x-signature': 'right' }
    const byQuery = (query: string) => auth.fetch(`${pathOf(school.id)}?${query}`, { headers })
    const query = `who=${who.providerUserId}`
    expect((await byQuery(query)).status).toBe(202)
    expect(await linkOf(userId, school)).toBeNull()
    expect((await byQuery(query)).status).toBe(202)
    expect((await notify({ who: who.providerUserId })).status).toBe(202)
    expect((await byQuery('who=nobody')).status).toBe(202)
    expect(told).toHaveLength(1)
  })

  it.each(['suspended', 'pending_deletion'] as const)(
    'counts for an account that is %s too',
    async (status) => {
      const who = somebody()
      const { userId } = await enter(school, who)
      await db.update(users).set({ status }).where(eq(users.userId, userId))
      expect((await notify({ who: who.providerUserId })).status).toBe(202)
      expect(await linkOf(userId, school)).toBeNull()
      expect(await rowOf(userId)).toMatchObject({ status })
    },
  )

  it('ends no later consent when it is sent again (A-284)', async () => {
    const who = somebody({ email: 'back@example.com' })
    const { userId } = await enter(school, who)
    const notice = { who: who.providerUserId, at: auth.clock.now().toISOString() }
    expect((await notify(notice)).status).toBe(202)
    auth.clock.advance('1m')
    expect((await enter(school, who)).userId).toBe(userId)
    expect((await notify(notice)).status).toBe(202)
    expect(await linkOf(userId, school)).not.toBeNull()
    expect(told).toHaveLength(1)
    // A clock that is a little behind is no replay.
    const at = new Date(auth.clock.now().getTime() - 2000).toISOString()
    expect((await notify({ ...notice, at })).status).toBe(202)
    expect(await linkOf(userId, school)).toBeNull()
  })
})

describe('a notice that is not right', () => {
  it('is refused in the same words for every fault, and changes nothing (A-284)', async () => {
    const who = somebody()
    const { userId } = await enter(school, who)
    const { providerUserId } = who
    const right = { 'x-signature': 'right' }
    const refusals = await Promise.all([
      notify({ who: providerUserId }, { 'x-signature': 'wrong' }).then(saidOf),
      notify({ who: providerUserId }, {}).then(saidOf),
      notify({ who: providerUserId, throws: '1' }).then(saidOf),
      notify({ who: providerUserId, rejects: '1' }).then(saidOf),
      auth.fetch(`${pathOf(school.id)}?throws=1`, { headers: right }).then(saidOf),
    ])
    const [first] = refusals
    expect(first).toMatchObject({ status: 401, error: { code: 'UnauthorizedError' } })
    for (const each of refusals) expect(each).toEqual(first)
    expect(JSON.stringify(refusals)).not.toMatch(/cannot be/)
    expect(await linkOf(userId, school)).not.toBeNull()
    expect(told).toEqual([])
  })

  it('is none at all for a provider that sends none (A-285)', async () => {
    for (const provider of ['google', 'apple', 'github', silent.id, 'nobody']) {
      for (const method of ['GET', 'POST']) {
        const answer = await auth.fetch(pathOf(provider), { method })
        expect(await saidOf(answer)).toMatchObject({ error: { code: 'NotFoundError' } })
        expect(answer.status).toBe(404)
      }
    }
  })
})

describe('what a provider is given to verify', () => {
  it('has the query, and the form of a POST after it (A-265)', async () => {
    const init = { method: 'POST', headers: { 'content-type': `${form}; charset=utf-8` } }
    await auth.fetch(`${pathOf(school.id)}?who=query`, {
      ...init,
      body: 'who=a+b%2F%ED%95%9C&who=c',
    })
    const [request] = seen
    expect(request?.method).toBe('POST')
    expect(request?.fields.getAll('who')).toEqual(['query', 'a b/한', 'c'])
    expect(request?.now).toEqual(auth.clock.now())
  })

  it('has no fields from a body of another kind', async () => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type, 'x-signature': 'right' }
      await auth.fetch(pathOf(school.id), { method: 'POST', headers, body: 'who=somebody' })
    }
    expect(seen.map(({ fields }) => String(fields))).toEqual(['', '', ''])
  })

  it('has every header that was sent, also those of one name', async () => {
    const headers = ['host', 'localhost', 'authorization', 'one', 'authorization', 'two']
    const asked = get(`${auth.url}${pathOf(school.id)}?who=a%26b`, { headers })
    await once(asked, 'response')
    asked.destroy()
    expect(seen[0]?.headers.get('authorization')).toBe('one, two')
    expect(seen[0]?.fields.get('who')).toBe('a&b')
  })
})

it('is answered within three seconds while the database is held up, and then done (A-286, F20)', async () => {
  const who = somebody()
  const { userId } = await enter(school, who)
  const began = performance.now()
  await db.transaction(async (tx) => {
    await tx.select().from(users).where(eq(users.userId, userId)).for('update')
    const answer = await notify({ who: who.providerUserId })
    expect(await saidOf(answer)).toMatchObject({ status: 503 })
    expect(performance.now() - began).toBeLessThan(3000)
  })
  expect((await notify({ who: who.providerUserId })).status).toBe(202)
  expect(await linkOf(userId, school)).toBeNull()
  await expect.poll(() => told).toHaveLength(1)
})

it('takes 300 notices a minute from one address', async () => {
  const guess = async () => (await notify({ who: 'somebody' }, {})).status
  for (let count = 0; count < 300; count++) expect(await guess()).toBe(401)
  expect(await guess()).toBe(429)
})
