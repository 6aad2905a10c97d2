import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectUsers } from '../accounts/accounts.ts'
import { accountRoles, profiles, users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { attempts } from '../limits/schema.ts'
import { createRole } from '../roles/roles.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestUser } from '../testing.ts'
import { peopleContract } from './contract.ts'
import { findUser } from './people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
const { db } = auth.auth
afterAll(() => auth.stop())

let admin: TestUser
let root: TestUser
beforeAll(async () => {
  root = await auth.signedInUser({ role: 'superadmin' })
  admin = await auth.signedInUser({ role: 'admin' })
})

const list = (query: Record<string, unknown> = {}, by = admin) =>
  auth.call('listUsers', undefined, by.key, { query })
const read = (userId: string, by = admin) =>
  auth.call('readUser', undefined, by.key, { params: { userId } })
const suspend = (userId: string, by = admin, body: object = {}) =>
  auth.call('suspendUser', body, by.key, { params: { userId } })
const reactivate = (userId: string, by = admin) =>
  auth.call('reactivateUser', {}, by.key, { params: { userId } })

const idsIn = ({ body }: { body: { users: { userId: string }[] } }) =>
  body.users.map(({ userId }) => userId)
const set = (userId: string, changes: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(changes).where(eq(users.userId, userId))
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
    for (const name of ['guide', 'guest']) await createRole({ name, displayName: name })
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

describe('readUser', () => {
  it('has what those who help ask first, and no secret', async () => {
    const user = await auth.signedInUser()
    const { status, body } = await read(user.userId)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...(await list({ id: user.userId })).body.users[0],
      locale: 'en',
      timezone: 'UTC',
      metadata: {},
      hasPassword: true,
      mustChangePassword: false,
      factors: [],
      devices: [expect.objectContaining({ keyId: user.key.keyId, isActive: true })],
    })
    expect(JSON.stringify(body)).not.toContain(user.key.registration.publicKey)
  })

  it('is the same for an application, which is told null of nobody', async () => {
    const user = await auth.signedInUser()
    expect(await findUser(user.userId)).toEqual((await read(user.userId)).body)
    for (const unknown of [randomUUID(), 'nobody', '']) expect(await findUser(unknown)).toBe(null)
  })

  it('knows no account that is unknown, or gone', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { status: 'deleted' })
    for (const unknown of [userId, randomUUID(), 'nobody']) {
      expect(await read(unknown)).toMatchObject(refused(404, 'UserNotFoundError'))
    }
  })
})

describe('suspendUser', () => {
  it('signs the account out, and the trail has who did it, and why', async () => {
    const user = await auth.signedInUser()
    expect(await suspend(user.userId, admin, { reason: 'Charge\u202eback\n' })).toMatchObject({
      status: 204,
    })
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({ status: 401 })
    const [line] = await db.select().from(auditEvents).where(eq(auditEvents.target, user.userId))
    expect(line).toMatchObject({
      act: 'account.suspended',
      actor: admin.userId,
      keyId: admin.key.keyId,
      details: { reason: 'Charge back' },
    })
    expect(await reactivate(user.userId)).toMatchObject({ status: 204 })
    expect(await read(user.userId)).toMatchObject({ body: { status: 'active', devices: [] } })
  })

  it('refuses an account that is not active, or unknown', async () => {
    const { userId } = await auth.createUser()
    expect(await reactivate(userId)).toMatchObject(refused(409, 'ConflictError'))
    await suspend(userId)
    expect(await suspend(userId)).toMatchObject(refused(409, 'ConflictError'))
    for (const unknown of [randomUUID(), 'nobody']) {
      expect(await suspend(unknown)).toMatchObject(refused(404, 'UserNotFoundError'))
    }
  })

  it('asks for a fresh proof', async () => {
    const { userId } = await auth.createUser()
    const old = await auth.signedInUser({ role: 'admin' })
    auth.clock.set(new Date(auth.clock.now().getTime() + 2 * 3_600_000))
    expect(await suspend(userId, old)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    await auth.proveRecent(admin)
    await auth.proveRecent(root)
  })
})

describe('signUserOut', () => {
  const signOut = (userId: string, body: object = {}, by = admin) =>
    auth.call('signUserOut', body, by.key, { params: { userId } })

  it('ends every device, and its owner signs in again', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    expect(await signOut(user.userId, { reason: 'A lost laptop' })).toMatchObject({
      status: 200,
      body: { revokedCount: 2 },
    })
    for (const key of [user.key, other]) {
      expect(await auth.call('getAuthSession', undefined, key)).toMatchObject({ status: 401 })
    }
    const [line] = await db.select().from(auditEvents).where(eq(auditEvents.target, user.userId))
    expect(line).toMatchObject({
      act: 'user.signed_out',
      actor: admin.userId,
      details: { revokedCount: 2, reason: 'A lost laptop' },
    })
    await auth.signIn(user)
  })

  it('ends one device with the programs that it has added, and leaves the others', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    const machine = await createTestKey()
    await auth.proveRecent({ ...user, key: other })
    const made = await auth.call(
      'createMachineKey',
      { ...machine.registration, deviceName: 'CI', permissions: [], expiresInDays: 1 },
      other,
    )
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
    const { keyId } = other
    expect(await signOut(user.userId, { keyId })).toMatchObject({ body: { revokedCount: 2 } })
    const states = (await auth.keysOf(user.userId)).map((key) => [key.keyId, key.state])
    expect(Object.fromEntries(states)).toEqual({
      [user.key.keyId]: 'active',
      [keyId]: 'revoked',
      [machine.keyId]: 'revoked',
    })
    const lines = await db.select().from(auditEvents).where(eq(auditEvents.target, machine.keyId))
    expect(lines).toContainEqual(
      expect.objectContaining({ act: 'key.revoked', actor: admin.userId }),
    )
  })

  it('refuses a key that is not of the account, and ends nothing', async () => {
    const [user, foreign] = [await auth.signedInUser(), await auth.signedInUser()]
    for (const keyId of [foreign.key.keyId, admin.key.keyId, 'no such key']) {
      expect(await signOut(user.userId, { keyId })).toMatchObject(refused(404, 'KeyNotFoundError'))
    }
    expect(await auth.call('getAuthSession', undefined, foreign.key)).toMatchObject({ status: 200 })
    expect(await signOut(root.userId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await auth.call('getAuthSession', undefined, root.key)).toMatchObject({ status: 200 })
  })
})

describe('requireNewPassword', () => {
  const demand = (userId: string, by = admin) =>
    auth.call('requireNewPassword', {}, by.key, { params: { userId } })

  it('is told at the next sign-in, until the password is changed', async () => {
    const user = await auth.signedInUser()
    expect(await demand(user.userId)).toMatchObject({ status: 204 })
    expect(await read(user.userId)).toMatchObject({ body: { mustChangePassword: true } })
    const session = () => auth.call('getAuthSession', undefined, user.key)
    expect(JSON.stringify((await session()).body)).toContain('"passwordChangeRequired":true')
    await auth.call(
      'changePassword',
      { currentPassword: user.password, newPassword: 'another horse battery staple' },
      user.key,
    )
    expect(await read(user.userId)).toMatchObject({ body: { mustChangePassword: false } })
  })

  it('refuses an account without a password', async () => {
    const { userId } = await auth.createUser()
    await set(userId, { passwordHash: null })
    expect(await demand(userId)).toMatchObject(refused(409, 'ConflictError'))
    expect(await read(userId)).toMatchObject({ body: { mustChangePassword: false } })
    expect(await demand(root.userId)).toMatchObject(refused(403, 'ForbiddenError'))
  })
})

describe('an operator does not act upwards', () => {
  it('nor on their equals, or on themselves; superadmins act on all others', async () => {
    const other = await auth.signedInUser({ role: 'admin' })
    for (const { userId } of [root, other, admin]) {
      expect(await suspend(userId)).toMatchObject(refused(403, 'ForbiddenError'))
      expect(await auth.call('getAuthSession', undefined, other.key)).toMatchObject({ status: 200 })
    }
    expect(await suspend(other.userId, root)).toMatchObject({ status: 204 })
    expect(await reactivate(other.userId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await suspend(root.userId, root)).toMatchObject(refused(403, 'ForbiddenError'))
    const second = await auth.signedInUser({ role: 'superadmin' })
    expect(await suspend(second.userId, root)).toMatchObject({ status: 204 })
  })

  it('whatever the priority of the role that gives them the permission', async () => {
    await createRole({
      name: 'helper',
      displayName: 'Helper',
      priority: 5,
      permissions: ['user:read', 'user:write'],
    })
    const helper = await auth.signedInUser({ role: 'helper' })
    const { userId } = await auth.createUser()
    expect(await suspend(userId, helper)).toMatchObject(refused(403, 'ForbiddenError'))
  })

  it('one of two who suspend each other comes second, and may no longer', async () => {
    for (let round = 0; round < 5; round++) {
      await db.delete(attempts)
      const one = await auth.signedInUser({ role: 'superadmin' })
      const other = await auth.signedInUser({ role: 'superadmin' })
      const answers = await Promise.all([suspend(one.userId, other), suspend(other.userId, one)])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      expect(statuses.filter((status) => status === 401 || status === 403)).toHaveLength(1)
    }
  })
})

it('is open to those alone whom the access table names', async () => {
  expect(await auth.answersToCallers(peopleContract)).toEqual({
    listUsers: { stranger: 401, suspended: 403, user: 403 },
    readUser: { stranger: 401, suspended: 403, user: 403 },
    suspendUser: { stranger: 401, suspended: 403, user: 403 },
    reactivateUser: { stranger: 401, suspended: 403, user: 403 },
    signUserOut: { stranger: 401, suspended: 403, user: 403 },
    requireNewPassword: { stranger: 401, suspended: 403, user: 403 },
  })
})
