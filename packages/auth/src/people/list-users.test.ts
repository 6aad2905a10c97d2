import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { selectUsers } from '../accounts/accounts.ts'
import { accountRoles, profiles, users } from '../accounts/schema.ts'
import { createRole } from '../roles/roles.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(auth.stop)
const { db } = auth.auth
const { list, set } = await operatorsOf(auth)

const idsIn = ({ body }: { body: { users: { userId: string }[] } }) =>
  body.users.map(({ userId }) => userId)
const name = (userId: string, displayName: string) =>
  db.update(profiles).set({ displayName }).where(eq(profiles.userId, userId))

/** So many that nobody would look at all of them. */
async function populate() {
  const pool = auth.infrastructure.database?.pool
  await pool?.query(`
    insert into svc_auth.users (user_id, public_id, email, role, created_at, last_login_at)
    select md5('user ' || n)::uuid, md5('user ' || n)::uuid, 'person' || n || '@many.example',
      'user', now() - n * interval '1 s', now() - n * interval '1 s'
    from generate_series(1, 20000) as n`)
  await pool?.query(`
    insert into svc_auth.profiles (user_id, display_name)
    select user_id, 'Person ' || email from svc_auth.users where email like '%@many.example'`)
  await createRole({ name: 'crowd', displayName: 'Crowd' })
  await pool?.query(`
    insert into svc_auth.account_roles (user_id, role, created_at)
    select user_id, 'crowd', created_at from svc_auth.users where email like '%@many.example'`)
  await pool?.query('analyze svc_auth.account_roles')
  await pool?.query('analyze svc_auth.users')
  await pool?.query('analyze svc_auth.profiles')
}

describe('listUsers', () => {
  it('finds an account by each of its names, in any case', async () => {
    const user = await auth.createUser({ email: 'zoe.first@find.example' })
    await set(user.userId, { phone: '+4915112345678', username: 'zoe1' })
    await name(user.userId, 'Zoë Änderung')
    await auth.createUser({ email: 'yan@find.example' })
    for (const query of [
      { email: 'Zoe.First@' },
      { email: 'zoe.first@find.example' },
      { phone: '+49 151 1234' },
      { username: 'ZOE' },
      { name: 'zoë än' },
      { name: 'ZOË' },
      { id: user.userId },
      { id: user.publicId },
    ]) {
      expect(idsIn(await list(query)), JSON.stringify(query)).toEqual([user.userId])
    }
    expect((await list({ id: user.userId })).body).toEqual({
      users: [
        {
          userId: user.userId,
          publicId: user.publicId,
          email: user.email,
          emailVerifiedAt: auth.clock.now().toISOString(),
          phone: '+4915112345678',
          username: 'zoe1',
          displayName: 'Zoë Änderung',
          role: 'user',
          roles: ['user'],
          roleNames: ['User'],
          status: 'active',
          hasSecondFactor: false,
          createdAt: auth.clock.now().toISOString(),
        },
      ],
    })
  })

  it.each([
    { email: '%' },
    { email: '_oe' },
    { email: '\\' },
    { email: "zoe' or true --" },
    { id: 'not an id' },
    { id: randomUUID() },
    { role: 'no such role' },
    { name: '\u{10FFFF}' },
  ])('finds nobody by %j: what is asked is taken as it is', async (query) => {
    expect((await list(query)).body).toEqual({ users: [] })
  })

  it('narrows by role, status and time, and has the newest first', async () => {
    const start = new Date('2001-01-01T00:00:00Z')
    const made = await Promise.all([1, 2, 3].map(() => auth.createUser()))
    for (const [day, { userId }] of made.entries()) {
      const at = new Date(start.getTime() + day * 86_400_000)
      await set(userId, { createdAt: at, lastLoginAt: at })
    }
    const [first, second, third] = made.map(({ userId }) => userId) as [string, string, string]
    const old = { createdTo: '2001-02-01' }
    expect(idsIn(await list(old))).toEqual([third, second, first])
    expect(idsIn(await list({ createdFrom: '2001-01-02', createdTo: '2001-01-03' }))).toEqual([
      second,
    ])
    const seen = { lastLoginFrom: '2001-01-02T00:00:00Z', lastLoginTo: '2001-02-01' }
    expect(idsIn(await list(seen))).toEqual([third, second])
    await set(second, { status: 'suspended' })
    expect(idsIn(await list({ ...old, status: 'suspended' }))).toEqual([second])
    await set(third, { role: 'admin' })
    expect(idsIn(await list({ ...old, role: 'admin' }))).toEqual([third])
  })

  it('lists a deleted account by its status alone', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { status: 'deleted', email: null })
    expect(idsIn(await list({ id: userId }))).toEqual([])
    expect(idsIn(await list({ id: userId, status: 'deleted' }))).toEqual([userId])
  })

  it.each([
    { email: 'page' },
    { createdTo: '1999-12-31T23:00:00Z' },
    { lastLoginTo: '2000-01-01' },
  ])(
    'goes from page to page, by %j, and misses or repeats nobody while accounts come and go',
    async (query) => {
      const at = new Date('1999-06-01T00:00:00.123Z')
      const made = await Promise.all(
        Array.from({ length: 7 }, () =>
          auth.createUser({ email: `page-${randomUUID()}@example.com` }),
        ),
      )
      // All of one moment: the id decides.
      for (const { userId } of made) await set(userId, { createdAt: at, lastLoginAt: at })
      const asked = { ...query, limit: 3 }
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await list({ ...asked, ...(after && { after }) })
        seen.push(...idsIn(page))
        after = page.body.next
        const { userId } = await auth.createUser({ email: `page-0${randomUUID()}@example.com` })
        await set(userId, { createdAt: new Date(at.getTime() + 1), lastLoginAt: at })
        await db.delete(users).where(eq(users.userId, userId))
      } while (after)
      expect(seen.toSorted()).toEqual(made.map(({ userId }) => userId).toSorted())
      for (const { userId } of made) await set(userId, { email: null, createdAt: new Date(0) })
      await db.delete(users).where(eq(users.createdAt, new Date(0)))
    },
  )

  it.each([
    [{ limit: 101 }, 'query.limit'],
    [{ after: 'nonsense' }, 'query.after'],
    [{ after: Buffer.from('["x","y"]').toString('base64url') }, 'query.after'],
    [
      { after: Buffer.from(`["a@example.com","${randomUUID()}"]`).toString('base64url') },
      'query.after',
    ],
    [
      { email: 'a', after: Buffer.from(`["a\\u0000","${randomUUID()}"]`).toString('base64url') },
      'query.after',
    ],
    [{ createdFrom: 'yesterday' }, 'query.createdFrom'],
    [{ status: 'asleep' }, 'query.status'],
    [{ email: '' }, 'query.email'],
  ])('refuses %j, and names %s', async (query, path) => {
    const answer = await list(query)
    expect(answer).toMatchObject(refused(400, 'ValidationError'))
    const paths = answer.body.fields.map((field: { path: string }) => field.path)
    expect(new Set(paths)).toEqual(new Set([path]))
  })

  it('finds those who have a role first or beside another one, in one order, on pages', async () => {
    for (const each of ['guide', 'guest']) await createRole({ name: each, displayName: each })
    const start = new Date('2002-01-01T00:00:00Z')
    const made = await Promise.all([
      auth.createUser({ role: 'guide', email: 'a@guides.example' }),
      auth.createUser({ role: 'admin', otherRoles: ['guide'], email: 'b@guides.example' }),
      auth.createUser({ role: 'guide', otherRoles: ['guest'], email: 'c@guides.example' }),
      auth.createUser({ role: 'user', otherRoles: ['guest', 'guide'], email: 'd@guides.example' }),
      auth.createUser({ role: 'guest', email: 'e@guides.example' }),
    ])
    for (const [day, { userId }] of made.entries()) {
      const createdAt = new Date(start.getTime() + day * 86_400_000)
      await set(userId, { createdAt })
      await db.update(accountRoles).set({ createdAt }).where(eq(accountRoles.userId, userId))
    }
    const guides = made.slice(0, 4).map(({ userId }) => userId)
    const pages = async (query: object) => {
      const found: string[] = []
      let after: string | undefined
      do {
        const { body } = await list({ ...query, limit: 1, ...(after && { after }) })
        found.push(...idsIn({ body }))
        after = body.next
      } while (after !== undefined)
      return found
    }
    const newest = guides.toReversed()
    expect(idsIn(await list({ role: 'guide' }))).toEqual(newest)
    expect(await pages({ role: 'guide' })).toEqual(newest)
    for (const { userId } of made) await name(userId, `Guided ${guides.indexOf(userId)}`)
    expect(await pages({ role: 'guide', name: 'guided' })).toEqual(guides)
    expect(await pages({ role: 'guide', email: 'b@guides' })).toEqual(guides.slice(1, 2))
    const within = { createdFrom: '2002-01-02T00:00:00Z', createdTo: '2002-01-04T00:00:00Z' }
    expect(await pages({ role: 'guide', ...within })).toEqual(newest.slice(1, 3))
    expect(idsIn(await list({ role: 'guest' }))).toHaveLength(3)
  })

  it('walks an index in each order, so that a page costs the same among a million accounts', async () => {
    await populate()
    const queries = [
      { email: 'zo' },
      { phone: '+49' },
      { username: 'zo' },
      { name: 'zo' },
      {},
      { lastLoginFrom: '2000-01-01' },
      { role: 'superadmin' },
      { role: 'crowd' },
      { status: 'suspended' as const },
    ]
    for (const query of queries) {
      const { sql: text, params } = selectUsers(db, query).toSQL()
      const plan = await auth.infrastructure.database?.pool.query(`explain ${text}`, params)
      const lines = plan?.rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(lines, JSON.stringify(query)).toMatch(/Index (Only )?Scan.* on (users|profiles)/)
      // A `Sort Key` of two that are merged is the order in which an index has each.
      expect(lines, JSON.stringify(query)).not.toMatch(/Seq Scan|Sort {2}/)
    }
  })
})
