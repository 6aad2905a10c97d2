import { randomUUID } from 'node:crypto'
import { eq, sql, TransactionRollbackError } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import type { AuthContract } from '../auth-contract.ts'
import { addPermissionToRole, createRole, removePermissionFromRole } from '../roles/roles.ts'
import { createTestKey, startTestAuth, type TestAnswer, type TestUser } from '../testing.ts'
import { auditRetention } from './jobs.ts'
import { selectOrganizationActs } from './list-organization-acts.ts'
import { auditEvents } from './schema.ts'

const auth = await startTestAuth({ env: { SVC_AUTH_AUDIT_RETENTION_DAYS: '30' } })
const { db } = auth.auth
afterAll(() => auth.stop())

const root = await auth.signedInUser({ role: 'superadmin' })

const list = (query: Record<string, unknown> = {}, user: Pick<TestUser, 'key'> = root) =>
  auth.call('listAuditEvents', undefined, user.key, { query })

/** The one row that a request has left. */
async function rowOf({ headers }: TestAnswer) {
  const requestId = headers.get('x-request-id')
  const rows = await db.select().from(auditEvents)
  const own = rows.filter((row) => row.requestId === requestId)
  expect(own).toHaveLength(1)
  return own[0]
}

const ofDevice = ({ key }: Pick<TestUser, 'key'>) => ({
  keyId: key.keyId,
  address: '127.0.0.1',
  proof: expect.stringMatching(/^ey/),
})
const unsigned = { keyId: null, address: '127.0.0.1', proof: null }

describe('the trail has', () => {
  const wrong = 'not the password at all'
  const changed = 'another horse battery staple'

  it('each sign-in, and each that was refused', async () => {
    const { userId, email, password } = await auth.createUser()
    const key = await createTestKey()
    const given = { email, ...key.registration }
    const refused = await auth.call('login', { ...given, password: wrong })
    expect(await rowOf(refused)).toMatchObject({
      act: 'login',
      outcome: 'refused',
      actor: null,
      target: userId,
      ...unsigned,
    })
    const done = await auth.call('login', { ...given, password })
    expect(await rowOf(done)).toMatchObject({
      act: 'login',
      outcome: 'done',
      actor: userId,
      target: key.keyId,
      ...unsigned,
    })
  })

  it('a sign-in that the state of the account refuses', async () => {
    const { userId, email, password } = await auth.createUser()
    await db.update(users).set({ status: 'suspended' }).where(eq(users.userId, userId))
    const { registration } = await createTestKey()
    const answer = await auth.call('login', { email, password, ...registration })
    expect(answer.status).toBe(403)
    expect(await rowOf(answer)).toMatchObject({
      act: 'login',
      outcome: 'refused',
      actor: null,
      target: userId,
      ...unsigned,
    })
  })

  it('a refused sign-in to no account, without what was typed', async () => {
    const key = await createTestKey()
    const email = `${randomUUID()}@example.com`
    const answer = await auth.call('login', { email, password: wrong, ...key.registration })
    const row = await rowOf(answer)
    expect(row).toMatchObject({ act: 'login', outcome: 'refused', target: null })
    expect(JSON.stringify(row)).not.toContain(email)
  })

  it('each key that is rotated, revoked or signed out', async () => {
    const user = await auth.signedInUser()
    const { userId } = user
    const successor = await createTestKey()
    const rotated = await auth.call('rotateKey', successor.registration, user.key)
    expect(await rowOf(rotated)).toMatchObject({
      act: 'key.rotated',
      actor: userId,
      target: user.key.keyId,
      ...ofDevice(user),
    })
    const now = { key: successor }
    const other = await auth.signIn(user)
    const revoked = await auth.call('revokeKey', { keyId: other.keyId }, successor)
    const ownAct = { actor: userId, outcome: 'done', ...ofDevice(now) }
    expect(await rowOf(revoked)).toMatchObject({
      act: 'key.revoked',
      target: other.keyId,
      ...ownAct,
    })
    const all = await auth.call('revokeAllKeys', {}, successor)
    expect(await rowOf(all)).toMatchObject({ act: 'key.revoked_all', ...ownAct })
    const out = await auth.call('logout', undefined, successor)
    expect(await rowOf(out)).toMatchObject({
      act: 'key.logout',
      target: successor.keyId,
      ...ownAct,
    })
  })

  it('each change of a password, and each that was refused', async () => {
    const user = await auth.signedInUser()
    const { userId, key } = user
    const change = (currentPassword: string) =>
      auth.call('changePassword', { currentPassword, newPassword: changed }, key)
    const act = { act: 'password.changed', actor: userId, ...ofDevice(user) }
    expect(await rowOf(await change(wrong))).toMatchObject({ ...act, outcome: 'refused' })
    expect(await rowOf(await change(user.password))).toMatchObject({ ...act, outcome: 'done' })
  })

  it('each change of roles, and of the role of a user', async () => {
    const asRoot = (name: keyof AuthContract, params: Record<string, string>, body?: unknown) =>
      auth.call(name, body, root.key, { params })
    const ownAct = { actor: root.userId, outcome: 'done', ...ofDevice(root) }
    const created = await asRoot('createAdminRole', {}, { name: 'clerk', displayName: 'Clerk' })
    const { roleId } = created.body.role
    expect(await rowOf(created)).toMatchObject({
      act: 'role.created',
      target: roleId,
      details: { name: 'clerk', priority: 10, permissions: [] },
      ...ownAct,
    })
    const updated = await asRoot('updateAdminRole', { roleId }, { priority: 11 })
    expect(await rowOf(updated)).toMatchObject({
      act: 'role.updated',
      target: roleId,
      details: { role: 'clerk', priority: 11 },
      ...ownAct,
    })
    const { userId } = await auth.createUser()
    for (const role of ['clerk', 'user']) {
      const given = await asRoot('updateUserRole', { userId }, { role })
      const from = role === 'user' ? 'clerk' : 'user'
      expect(await rowOf(given)).toMatchObject({
        act: 'user.role_changed',
        target: userId,
        details: { from, to: role },
        ...ownAct,
      })
    }
    const deleted = await asRoot('deleteAdminRole', { roleId })
    expect(await rowOf(deleted)).toMatchObject({
      act: 'role.deleted',
      target: roleId,
      details: { name: 'clerk' },
      ...ownAct,
    })
  })

  it('what an application changes by itself, without an actor', async () => {
    await removePermissionFromRole('admin', 'user:delete')
    await addPermissionToRole('admin', 'user:delete')
    const { body } = await list({ act: 'role.updated', limit: 2 })
    expect(body.data).toMatchObject([
      { details: { role: 'admin', added: 'user:delete' } },
      { details: { role: 'admin', removed: 'user:delete' } },
    ])
    expect(body.data[0]).not.toHaveProperty('actor')
  })

  it('no password, no hash and no key material in any row', async () => {
    const rows = await db.execute(sql`select audit_events::text as row from svc_auth.audit_events`)
    const text = rows.rows.map(({ row }) => String(row)).join('\n')
    expect(text).toContain('password.changed')
    for (const secret of [root.password, wrong, changed, '$2b$', root.key.registration.publicKey]) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('listAuditEvents', () => {
  it('shows the newest first, a page at a time', async () => {
    const { status, body } = await list({ page: 2, limit: 3 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, meta: { pagination: { page: 2, limit: 3 } } })
    const { total } = body.meta.pagination
    expect(total).toBe(await db.$count(auditEvents))
    expect(body.meta.pagination.totalPages).toBe(Math.ceil(total / 3))
    const all = (await list({ limit: 100 })).body.data as { auditId: number }[]
    const ids = all.map(({ auditId }) => auditId)
    expect(ids).toEqual(ids.toSorted((one, other) => other - one))
    expect(body.data).toEqual(all.slice(3, 6))
  })

  it('shows a row as it was written, but never the request that proves it', async () => {
    const { userId, email } = await auth.createUser()
    const params = { userId }
    const answer = await auth.call('updateUserRole', { role: 'admin' }, root.key, { params })
    const { body } = await list({ limit: 1 })
    expect(body.data[0]).toEqual({
      auditId: expect.any(Number),
      at: auth.clock.now().toISOString(),
      act: 'user.role_changed',
      outcome: 'done',
      actor: root.userId,
      actorAccount: { userId: root.userId, name: root.email, isDeleted: false },
      keyId: root.key.keyId,
      target: userId,
      targetAccount: { userId, name: email, isDeleted: false },
      details: { from: 'user', to: 'admin' },
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
      hasProof: true,
      times: 1,
    })
  })

  it('says where an account is deleted, also where it left no row', async () => {
    const [kept, gone] = [await auth.createUser(), await auth.createUser()]
    for (const { userId } of [kept, gone]) {
      await auth.call('suspendUser', {}, root.key, { params: { userId } })
    }
    await db.update(users).set({ status: 'deleted' }).where(eq(users.userId, kept.userId))
    await db.delete(users).where(eq(users.userId, gone.userId))
    for (const { userId } of [kept, gone]) {
      const [row] = (await list({ target: userId })).body.data
      expect(row.targetAccount).toEqual({ userId, isDeleted: true })
      expect(row.actorAccount).toMatchObject({ name: root.email })
    }
  })

  it('names no account for a reader who may not read users, and takes no address from them', async () => {
    await createRole({ name: 'reader', displayName: 'Reader', permissions: ['audit:read'] })
    const reader = await auth.signedInUser({ role: 'reader' })
    const { userId, email } = await auth.signedInUser()
    const [row] = (await list({ actor: userId }, reader)).body.data
    expect(row).toMatchObject({ actor: userId })
    expect(row).not.toHaveProperty('actorAccount')
    expect(row).not.toHaveProperty('targetAccount')
    expect(await list({ actor: email }, reader)).toMatchObject({
      status: 400,
      body: { error: { code: 'ValidationError' } },
    })
    expect((await list({ target: email }, reader)).body.data).toEqual([])
  })

  it('finds acts by the address, number or username of the account', async () => {
    const user = await auth.signedInUser()
    const { userId } = user
    await auth.call('suspendUser', {}, root.key, { params: { userId } })
    const set = { phone: '+12025550199', username: 'grace' }
    await db.update(users).set(set).where(eq(users.userId, userId))
    const acts = async (query: object) => (await list({ ...query, limit: 100 })).body.data
    const own = await acts({ actor: userId })
    expect(own.length).toBeGreaterThan(0)
    for (const actor of [user.email.toUpperCase(), '+1 (202) 555-0199', 'Grace']) {
      expect(await acts({ actor })).toEqual(own)
    }
    const suspended = await acts({ target: userId, act: 'account.suspended' })
    expect(suspended).toHaveLength(1)
    expect(await acts({ target: user.email, act: 'account.suspended' })).toEqual(suspended)
    for (const query of [{ actor: 'nobody@example.com' }, { target: 'nobody@example.com' }]) {
      expect((await list(query)).body).toMatchObject({
        data: [],
        meta: { pagination: { total: 0 } },
      })
    }
  })

  it('takes actor, act, from and to together: from is within, to is not', async () => {
    const user = await auth.signedInUser()
    const other = await auth.signIn(user)
    auth.clock.advance('1h')
    const from = auth.clock.now().toISOString()
    await auth.call('logout', undefined, other)
    const key = await auth.signIn(user)
    auth.clock.advance('1h')
    const to = auth.clock.now().toISOString()
    await auth.call('logout', undefined, key)
    const count = async (query: Record<string, unknown>) =>
      (await list(query)).body.meta.pagination.total
    const actor = user.userId
    expect(await count({ actor })).toBe(5)
    expect(await count({ actor, act: 'login' })).toBe(3)
    expect(await count({ actor, act: 'login', from })).toBe(1)
    expect(await count({ actor, act: 'key.logout', from })).toBe(2)
    expect(await count({ actor, act: 'key.logout', from, to })).toBe(1)
    expect(await count({ actor, to: from })).toBe(2)
    expect(await count({ actor, act: 'nothing' })).toBe(0)
    expect(await count({ actor: randomUUID() })).toBe(0)
  })

  it.each([
    { from: 'yesterday' },
    { from: '2030-13-01' },
    { to: '2030-01-01T12:00:00' },
    { to: '1' },
    { actor: '' },
    { limit: 101 },
    { page: 0 },
  ])('refuses %j', async (query) => {
    const answer = await list(query)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'ValidationError' } } })
  })

  it('takes a day as well as a moment', async () => {
    expect(await list({ from: '2020-01-01' })).toMatchObject({ status: 200 })
    expect(await list({ from: '2020-01-01T00:00:00+09:00' })).toMatchObject({ status: 200 })
  })

  it('asks for the permission to read it', async () => {
    const admin = await auth.signedInUser({ role: 'admin' })
    expect(await list({}, admin)).toMatchObject({ status: 200 })
    await removePermissionFromRole('admin', 'audit:read')
    expect(await list({}, admin)).toMatchObject({ status: 403 })
    await addPermissionToRole('admin', 'audit:read')
    expect(await list({}, await auth.signedInUser())).toMatchObject({ status: 403 })
    expect(await auth.call('listAuditEvents')).toMatchObject({ status: 401 })
  })
})

describe('retention', () => {
  const daysAgo = (days: number, millis = 0) =>
    new Date(auth.clock.now().getTime() - days * 86_400_000 - millis)
  const insert = (act: string, at: Date, count: number) =>
    db.execute(sql`
      insert into svc_auth.audit_events (at, act, outcome)
      select ${at}, ${act}, 'done' from generate_series(1, ${count}::int)`)
  const countOf = async (act: string) => (await list({ act })).body.meta.pagination.total as number

  it('forgets what is older than SVC_AUTH_AUDIT_RETENTION_DAYS, and keeps the rest', async () => {
    await insert('old', daysAgo(30, 1), 20_500)
    await insert('young', daysAgo(30), 5)
    await auditRetention.enqueue()
    await expect.poll(() => countOf('old'), { timeout: 10_000 }).toBe(0)
    expect(await countOf('young')).toBe(5)
    expect(await countOf('login')).toBeGreaterThan(0)
  })
})

describe('the acts of an organization', () => {
  it('are read by an index that has their order, so that a page costs the same in a large trail', async () => {
    const organizationId = randomUUID()
    const which = { organizationId, acts: ['organization.updated'], limit: 20 }
    const place = { at: auth.clock.now().toISOString(), auditId: '1000000000' }
    const plans: string[] = []
    const planning = db.transaction(async (tx) => {
      await tx.execute(sql`insert into svc_auth.audit_events (at, act, outcome, details)
        select now(), 'organization.updated', 'done', jsonb_build_object('organizationId',
          case when n % 2 = 0 then ${organizationId} else gen_random_uuid()::text end)
        from generate_series(1, 2000) n`)
      await tx.execute(sql`analyze svc_auth.audit_events`)
      for (const from of [undefined, place]) {
        const { rows } = await tx.execute(
          sql`explain ${selectOrganizationActs(tx, which, from).getSQL()}`,
        )
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      tx.rollback()
    })
    await expect(planning).rejects.toThrow(TransactionRollbackError)
    for (const plan of plans) {
      expect(plan).toContain('Index Scan Backward using audit_events_by_organization')
      expect(plan).not.toContain('Sort')
    }
    expect(plans).toHaveLength(2)
  })
})
