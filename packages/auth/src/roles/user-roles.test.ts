import { randomUUID } from 'node:crypto'
import { defineRouter, type Middleware } from '@svc/core'
import { route } from '@svc/core/contract'
import { desc, eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { accountRoles, users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { roleChangedEvent } from '../events.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { createRole, deleteRole, updateRole } from './change-roles.ts'
import { roleGuard } from './guards.ts'
import {
  getUserPermissions,
  getUserRole,
  getUserRoles,
  hasAllPermissions,
  hasAnyRole,
  hasRole,
} from './roles.ts'
import { testRoles } from './test-roles.ts'

const guarded = (path: string, guard: Middleware) =>
  route
    .get(path)
    .use([guard])
    .handler(() => ({ entered: true }))

const auth = await startTestAuth({
  options: {
    // Above the superadmin's, which only the code can declare.
    roles: [
      { name: 'editor', displayName: 'Editor', priority: 40 },
      { name: 'clerk', displayName: 'Clerk', priority: 40 },
      { name: 'owner', displayName: 'Owner', priority: 500 },
    ],
    rolePermissions: { editor: ['user:read', 'audit:read'], clerk: ['user:invite', 'user:read'] },
  },
  router: defineRouter({
    editors: guarded('/editors', roleGuard({ allow: ['editor', 'owner'] })),
    noClerks: guarded('/no-clerks', roleGuard({ deny: ['clerk'] })),
    noSpare: guarded('/no-spare', roleGuard({ deny: ['spare'] })),
  }),
})
const { db } = auth.auth
afterAll(() => auth.stop())
const { root, freshName, asRoot } = await testRoles(auth)

const add = (userId: string, role: string, { key } = root) =>
  auth.call('addUserRole', { role }, key, { params: { userId } })
const remove = (userId: string, role: string, { key } = root) =>
  auth.call('removeUserRole', undefined, key, { params: { userId, role } })
const set = (userId: string, role: string, { key } = root) =>
  auth.call('updateUserRole', { role }, key, { params: { userId } })
const session = async ({ key }: TestUser) =>
  (await auth.call('getAuthSession', undefined, key)).body

async function enter(path: string, key: TestKey) {
  const request = { method: 'GET', url: `${auth.url}${path}`, body: '' }
  const headers = await auth.signerOf(key)(request)
  return (await fetch(request.url, { headers })).status
}

describe('an account with several roles', () => {
  it('may do what any of them permits, from its next request on', async () => {
    const user = await auth.signedInUser()
    const { userId } = user
    expect(await add(userId, 'editor')).toMatchObject({
      status: 200,
      body: { userId, role: 'editor', roles: ['editor', 'user'] },
    })
    expect((await session(user)).permissions).toEqual([
      'audit:read',
      'auth:self:manage',
      'user:read',
    ])
    expect(await auth.call('listAuditEvents', undefined, user.key)).toMatchObject({ status: 200 })
    await add(userId, 'clerk')
    const union = ['audit:read', 'auth:self:manage', 'user:invite', 'user:read']
    expect((await session(user)).permissions).toEqual(union)
    expect(await getUserPermissions(userId)).toEqual(union)
    expect(await hasAllPermissions(userId, union)).toBe(true)
    await remove(userId, 'editor')
    expect(await auth.call('listAuditEvents', undefined, user.key)).toMatchObject({ status: 403 })
    expect(await getUserPermissions(userId)).toEqual([
      'auth:self:manage',
      'user:invite',
      'user:read',
    ])
  })

  it('has one name in every answer: the highest by priority, then by name (A-045)', async () => {
    const user = await auth.signedInUser({ otherRoles: ['editor', 'clerk'] })
    const { userId } = user
    const roles = ['clerk', 'editor', 'user']
    expect(await session(user)).toMatchObject({
      role: { name: 'clerk', displayName: 'Clerk', priority: 40 },
      roles: roles.map((name) => ({ name })),
    })
    expect(await getUserRole(userId)).toBe('clerk')
    expect(await getUserRoles(userId)).toEqual(roles)
    const own = { userId, role: 'clerk', roles }
    expect(await auth.call('readUser', undefined, root.key, { params: { userId } })).toMatchObject({
      body: own,
    })
    for (const role of roles) {
      const found = await auth.call('listUsers', undefined, root.key, { query: { role } })
      expect(found.body.users, role).toContainEqual(expect.objectContaining(own))
    }
  })

  it('follows the priorities as they are', async () => {
    const [low, high] = [freshName(), freshName()]
    await createRole({ name: low, displayName: 'Low', priority: 20 })
    await createRole({ name: high, displayName: 'High', priority: 30 })
    const user = await auth.signedInUser({ role: low, otherRoles: [high] })
    expect((await session(user)).role).toMatchObject({ name: high, priority: 30 })
    const recheck = vi.spyOn(auth.infrastructure.streams, 'recheck')
    await updateRole(low, { priority: 31 })
    expect(recheck).toHaveBeenCalled()
    expect((await session(user)).role).toMatchObject({ name: low, priority: 31 })
    expect(await getUserRole(user.userId)).toBe(low)
    await updateRole(low, { isActive: false })
    expect((await session(user)).role).toMatchObject({ name: high })
    expect(await getUserRole(user.userId)).toBe(high)
    expect((await session(user)).roles).toEqual([{ name: high, displayName: 'High', priority: 30 }])
    expect(await getUserRoles(user.userId)).toEqual([high, low])
  })

  it('has each of them (A-061)', async () => {
    const { userId } = await auth.createUser({ otherRoles: ['editor', 'clerk'] })
    for (const role of ['user', 'editor', 'clerk']) expect(await hasRole(userId, role)).toBe(true)
    expect(await hasRole(userId, 'admin')).toBe(false)
    expect(await hasAnyRole(userId, ['admin', 'user'])).toBe(true)
    expect(await hasAnyRole(userId, ['admin', 'superadmin'])).toBe(false)
  })

  it('passes a gate with any of them, and none that is closed to one (A-323)', async () => {
    const { key } = await auth.signedInUser({ otherRoles: ['editor', 'clerk'] })
    expect(await enter('/editors', key)).toBe(200)
    expect(await enter('/no-clerks', key)).toBe(403)
    const { key: other } = await auth.signedInUser({ otherRoles: ['editor'] })
    expect(await enter('/no-clerks', other)).toBe(200)
    expect(await enter('/editors', (await auth.signedInUser()).key)).toBe(403)
  })

  it('gets nothing from one that is not active, which keeps gates closed that are closed to it', async () => {
    await createRole({ name: 'spare', displayName: 'Spare', permissions: ['user:delete'] })
    const user = await auth.signedInUser({ otherRoles: ['spare', 'editor'] })
    await updateRole('spare', { isActive: false })
    expect((await session(user)).permissions).not.toContain('user:delete')
    expect(await hasRole(user.userId, 'spare')).toBe(false)
    expect(await hasRole(user.userId, 'editor')).toBe(true)
    expect(await enter('/editors', user.key)).toBe(200)
    expect(await enter('/no-spare', user.key)).toBe(403)
  })

  it('may do nothing where none of them is active', async () => {
    const [one, other] = [freshName(), freshName()]
    for (const name of [one, other]) {
      await createRole({ name, displayName: name, permissions: ['user:read'] })
    }
    const user = await auth.signedInUser({ role: one, otherRoles: [other] })
    for (const name of [one, other]) await updateRole(name, { isActive: false })
    expect(await session(user)).toMatchObject({ role: { name: one }, roles: [], permissions: [] })
    expect(await hasAllPermissions(user.userId, [])).toBe(false)
    expect(await enter('/no-clerks', user.key)).toBe(403)
  })

  it('keeps all when one of them is renamed', async () => {
    const [held, beside, name, besideName] = [freshName(), freshName(), freshName(), freshName()]
    await createRole({ name: held, displayName: 'X', priority: 30 })
    await createRole({ name: beside, displayName: 'X', priority: 20 })
    const { userId } = await auth.createUser({ role: held, otherRoles: [beside, 'user'] })
    await updateRole(held, { name })
    await updateRole(beside, { name: besideName })
    expect(await getUserRoles(userId)).toEqual([name, besideName, 'user'])
  })

  it('keeps each of them from being deleted', async () => {
    const name = freshName()
    await createRole({ name, displayName: 'X' })
    const { userId } = await auth.createUser({ role: 'admin', otherRoles: [name] })
    await expect(deleteRole(name)).rejects.toMatchObject({ name: 'RoleInUseError', userCount: 1 })
    await remove(userId, name)
    await deleteRole(name)
  })

  it('exports all of them, and keeps none when it is deleted', async () => {
    const user = await auth.signedInUser({ otherRoles: ['editor', 'clerk'] })
    const { body } = await auth.call('exportUserData', undefined, user.key)
    expect(body.account).toMatchObject({ role: 'clerk', roles: ['clerk', 'editor', 'user'] })
    await auth.purge(user)
    await auth.proveRecent(root)
    expect(await db.$count(accountRoles, eq(accountRoles.userId, user.userId))).toBe(0)
  })
})

describe('updateUserRole', () => {
  it('replaces all roles by the one', async () => {
    const { userId } = await auth.createUser({ otherRoles: ['editor', 'clerk'] })
    expect((await set(userId, 'editor')).body).toEqual({ userId, role: 'editor' })
    expect(await getUserRoles(userId)).toEqual(['editor'])
    await add(userId, 'user')
    await set(userId, 'editor')
    expect(await getUserRoles(userId)).toEqual(['editor'])
  })
})

describe('a statement of the last release, which knows of one role', () => {
  it.each(['admin', 'user'])('replaces all roles by it: %s', async (role) => {
    const { userId } = await auth.createUser({ otherRoles: ['editor', 'clerk'] })
    await db.update(users).set({ role }).where(eq(users.userId, userId))
    expect(await getUserRoles(userId)).toEqual([role])
  })

  it('leaves them alone when it sets anything else', async () => {
    const { userId } = await auth.createUser({ otherRoles: ['editor'] })
    await db.update(users).set({ locale: 'ko' }).where(eq(users.userId, userId))
    expect(await getUserRoles(userId)).toEqual(['editor', 'user'])
  })
})

describe('addUserRole and removeUserRole', () => {
  it('tell streams, subscribers and the trail, once', async () => {
    const { userId } = await auth.createUser()
    const seen: unknown[] = []
    const unsubscribe = roleChangedEvent.subscribe((payload) => void seen.push(payload))
    await add(userId, 'editor')
    await add(userId, 'editor')
    await remove(userId, 'user')
    await remove(userId, 'user')
    unsubscribe()
    expect(seen).toEqual([
      { userId, role: 'editor' },
      { userId, role: 'editor' },
    ])
    const written = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.target, userId))
      .orderBy(desc(auditEvents.auditId))
    expect(written).toMatchObject([
      {
        act: 'user.role_changed',
        actor: root.userId,
        details: { from: 'editor', to: 'editor', added: [], removed: ['user'] },
      },
      { details: { from: 'user', to: 'editor', added: ['editor'], removed: [] } },
    ])
  })

  it('refuse a role and a user that are unknown, and a user who is deleted', async () => {
    const { userId } = await auth.createUser()
    for (const change of [add, remove]) {
      expect(await change(userId, 'ghost')).toMatchObject(refused(404, 'RoleNotFoundError'))
      expect(await change(randomUUID(), 'user')).toMatchObject(refused(404, 'UserNotFoundError'))
      expect(await change('nobody', 'user')).toMatchObject(refused(404, 'UserNotFoundError'))
    }
    await db.update(users).set({ status: 'deleted' }).where(eq(users.userId, userId))
    expect(await add(userId, 'editor')).toMatchObject(refused(404, 'UserNotFoundError'))
  })

  it('refuse to take the only role, and to give one that is not active', async () => {
    const { userId } = await auth.createUser()
    expect(await remove(userId, 'user')).toMatchObject(refused(409, 'ConflictError'))
    expect(await remove(userId, 'editor')).toMatchObject({ status: 200, body: { roles: ['user'] } })
    const name = freshName()
    await createRole({ name, displayName: 'X' })
    await updateRole(name, { isActive: false })
    expect(await add(userId, name)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await getUserRoles(userId)).toEqual(['user'])
  })

  it('refuse a 17th role', async () => {
    const names = Array.from({ length: 16 }, () => freshName())
    for (const name of names) await createRole({ name, displayName: name })
    const [last = '', ...others] = names
    const { userId } = await auth.createUser({ otherRoles: others })
    expect(await add(userId, last)).toMatchObject(refused(409, 'ConflictError'))
    expect(await add(userId, 'user')).toMatchObject({ status: 200 })
    expect(await getUserRoles(userId)).toHaveLength(16)
  })
})

describe('a superadmin by any of their roles', () => {
  it('administers roles, also where another one ranks above it', async () => {
    const owner = await auth.signedInUser({ role: 'owner', otherRoles: ['superadmin'] })
    const user = await auth.createUser()
    expect((await session(owner)).role.name).toBe('owner')
    expect(await auth.call('listRoles', undefined, owner.key)).toMatchObject({ status: 200 })
    expect(await add(user.userId, 'admin', owner)).toMatchObject({ status: 200 })
    const invited = { email: `${randomUUID()}@example.com`, role: 'owner' }
    expect(await auth.call('createInvitation', invited, owner.key)).toMatchObject({ status: 201 })
    await remove(owner.userId, 'superadmin')
    expect(await add(user.userId, 'editor', owner)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await auth.call('listRoles', undefined, owner.key)).toMatchObject({ status: 403 })
  })

  it('is the last one, whichever operation would take the role', async () => {
    const { userId } = root
    await add(userId, 'owner')
    for (const answer of [
      await remove(userId, 'superadmin'),
      await set(userId, 'owner'),
      await set(userId, 'user'),
    ]) {
      expect(answer).toMatchObject(refused(403, 'LastSuperadminError'))
    }
    const deletion = await auth.call(
      'requestAccountDeletion',
      { password: root.password },
      root.key,
    )
    expect(deletion).toMatchObject(refused(403, 'LastSuperadminError'))
    expect(await set(userId, 'superadmin')).toMatchObject({ status: 200 })
    expect(await getUserRoles(userId)).toEqual(['superadmin'])
    expect(await asRoot('listRoles')).toMatchObject({ status: 200 })
  })

  it('counts for another one', async () => {
    const owner = await auth.createUser({ role: 'owner', otherRoles: ['superadmin'] })
    expect(await set(root.userId, 'admin')).toMatchObject({ status: 200 })
    await db.insert(accountRoles).values({
      userId: root.userId,
      role: 'superadmin',
      createdAt: auth.clock.now(),
    })
    expect(await remove(owner.userId, 'superadmin')).toMatchObject({ status: 200 })
  })
})
