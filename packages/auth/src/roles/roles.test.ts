import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import type { AuthContract } from '../contract.ts'
import { roleChangedEvent } from '../events.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { getAllRoles, getRoleByName } from './list-roles.ts'
import { refuseEscalation } from './refuse-escalation.ts'
import {
  addPermissionToRole,
  getRolePermissions,
  removePermissionFromRole,
  setRolePermissions,
} from './role-permissions.ts'
import { updateRole } from './update-role.ts'
import {
  getUserPermissions,
  getUserRole,
  hasAllPermissions,
  hasAnyPermission,
  hasAnyRole,
  hasPermission,
  hasRole,
} from './user-permissions.ts'

const chief = { name: 'chief', displayName: 'Chief', priority: 500 }
const auth = await startTestAuth({ options: { roles: [chief] } })
const { db } = auth.auth
afterAll(() => auth.stop())

const root = await auth.signedInUser({ role: 'superadmin' })

let count = 0
const freshName = () => `role-${++count}`

async function freshRole(fields: Record<string, unknown> = {}) {
  const role = { name: freshName(), displayName: 'A role', ...fields }
  const { body } = await auth.call('createAdminRole', role, root.key)
  return body.role
}

const asRoot = (
  name: keyof AuthContract,
  { params, body }: { params?: Record<string, string>; body?: unknown } = {},
) => auth.call(name, body, root.key, { ...(params && { params }) })

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

describe('the operations on roles', () => {
  const operations = async (key?: TestKey) => {
    const role = await freshRole()
    const { userId } = await auth.createUser()
    const params = { roleId: role.roleId }
    const named = { name: freshName(), displayName: 'Mine', permissions: ['user:delete'] }
    return Promise.all([
      auth.call('listRoles', undefined, key),
      auth.call('createAdminRole', named, key),
      auth.call('updateAdminRole', { displayName: 'Mine' }, key, { params }),
      auth.call('deleteAdminRole', undefined, key, { params }),
      auth.call('updateUserRole', { role: 'superadmin' }, key, { params: { userId } }),
    ])
  }

  it.each(['admin', 'user', 'chief'])('refuse a caller with the role %s (A-163)', async (role) => {
    const caller = await auth.signedInUser({ role })
    const before = await getAllRoles()
    const answers = await operations(caller.key)
    for (const answer of answers) expect(answer).toMatchObject(refusal(403, 'ForbiddenError'))
    expect(await getAllRoles()).toHaveLength(before.length + 1)
  })

  it('ask whoever has not signed in to do so, and say nothing of permissions', async () => {
    for (const answer of await operations()) {
      expect(answer).toMatchObject(refusal(401, 'UnauthorizedError'))
    }
  })
})

describe('listRoles', () => {
  it('answers every role, the highest priority first (A-164)', async () => {
    const { status, body } = await asRoot('listRoles')
    expect(status).toBe(200)
    const [first, second] = body.roles
    expect(first).toMatchObject({ name: 'chief', priority: 500, isBuiltin: false })
    expect(second).toEqual({
      roleId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'superadmin',
      displayName: 'Super administrator',
      priority: 100,
      isBuiltin: true,
      isActive: true,
      permissions: expect.arrayContaining(['rbac:role:manage']),
    })
  })
})

describe('createAdminRole', () => {
  it('creates a role with what it grants (A-164)', async () => {
    const name = freshName()
    const permissions = ['user:write', 'user:read', 'user:read']
    const body = {
      name,
      displayName: 'Clerk',
      description: 'At the desk',
      priority: 20,
      permissions,
    }
    const answer = await asRoot('createAdminRole', { body })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      role: {
        roleId: expect.any(String),
        name,
        displayName: 'Clerk',
        description: 'At the desk',
        priority: 20,
        isBuiltin: false,
        isActive: true,
        permissions: ['user:read', 'user:write'],
      },
    })
  })

  it('refuses a name that is taken, and names the role that has it', async () => {
    const { roleId, name } = await freshRole()
    const body = { name, displayName: 'Again' }
    const answer = await asRoot('createAdminRole', { body })
    expect(answer).toMatchObject(refusal(409, 'RoleAlreadyExistsError'))
    expect(answer.body.roleId).toBe(roleId)
    const builtin = { name: 'superadmin', displayName: 'Mine', priority: 1 }
    expect(await asRoot('createAdminRole', { body: builtin })).toMatchObject({ status: 409 })
  })

  it('creates one role of a name when sixteen ask at once', async () => {
    const body = { name: freshName(), displayName: 'Once' }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => asRoot('createAdminRole', { body })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15)
  })

  it('refuses a permission that nothing declares', async () => {
    const body = { name: freshName(), displayName: 'Bird', permissions: ['user:fly'] }
    expect(await asRoot('createAdminRole', { body })).toMatchObject(
      refusal(404, 'PermissionNotFoundError'),
    )
    expect(await getRoleByName(body.name)).toBeNull()
  })

  it.each([100, 101])('refuses the priority %d: none ranks with a superadmin', async (priority) => {
    const body = { name: freshName(), displayName: 'Emperor', priority }
    expect(await asRoot('createAdminRole', { body })).toMatchObject(refusal(403, 'ForbiddenError'))
  })

  it.each([
    { name: 'no spaces' },
    { name: '' },
    { name: 'x'.repeat(65) },
    { displayName: '' },
    { priority: -1 },
    { priority: 1.5 },
    { permissions: 'user:read' },
  ])('refuses what is no role: %j', async (fields) => {
    const body = { name: freshName(), displayName: 'A role', ...fields }
    expect(await asRoot('createAdminRole', { body })).toMatchObject(refusal(400, 'ValidationError'))
  })

  it('takes nothing that a role only comes to have', async () => {
    const role = await freshRole({ isBuiltin: true, isActive: false, roleId: randomUUID() })
    expect(role).toMatchObject({ isBuiltin: false, isActive: true })
    expect(await asRoot('deleteAdminRole', { params: role })).toMatchObject({ status: 204 })
  })
})

describe('updateAdminRole', () => {
  it('changes what is named and leaves the rest (A-164)', async () => {
    const role = await freshRole({ description: 'Old', priority: 5, permissions: ['user:read'] })
    const body = { displayName: 'New', permissions: ['user:write'] }
    const answer = await asRoot('updateAdminRole', { params: { roleId: role.roleId }, body })
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      role: { ...role, displayName: 'New', permissions: ['user:write'] },
    })
    const cleared = { description: '' }
    const again = await asRoot('updateAdminRole', {
      params: { roleId: role.roleId },
      body: cleared,
    })
    expect(again.body.role).not.toHaveProperty('description')
  })

  it('renames a role for those who have it too', async () => {
    const role = await freshRole()
    const { userId } = await auth.createUser({ role: role.name })
    const name = freshName()
    await asRoot('updateAdminRole', { params: { roleId: role.roleId }, body: { name } })
    expect(await getUserRole(userId)).toBe(name)
  })

  it('refuses a name that is taken', async () => {
    const { roleId } = await freshRole()
    const { roleId: other, name } = await freshRole()
    const answer = await asRoot('updateAdminRole', { params: { roleId }, body: { name } })
    expect(answer).toMatchObject(refusal(409, 'RoleAlreadyExistsError'))
    expect(answer.body.roleId).toBe(other)
  })

  it.each(['superadmin', 'admin', 'user'])('keeps the name and priority of %s', async (name) => {
    const { roleId, priority } = (await getRoleByName(name)) ?? { roleId: '', priority: 0 }
    for (const body of [{ name: 'other' }, { priority: priority - 1 }]) {
      expect(await asRoot('updateAdminRole', { params: { roleId }, body })).toMatchObject(
        refusal(403, 'BuiltinRoleError'),
      )
    }
    expect(await getRoleByName(name)).toMatchObject({ roleId, priority })
  })

  it('takes nothing from the superadmin', async () => {
    const role = await getRoleByName('superadmin')
    const params = { roleId: role?.roleId ?? '' }
    const body = { permissions: ['user:read'] }
    expect(await asRoot('updateAdminRole', { params, body })).toMatchObject(
      refusal(403, 'BuiltinRoleError'),
    )
    expect(await getRoleByName('superadmin')).toEqual(role)
  })

  it('accepts a built-in role as it is, with other words', async () => {
    const { body } = await asRoot('listRoles')
    const role = body.roles.find(({ name }: { name: string }) => name === 'superadmin')
    const changed = { ...role, displayName: 'The boss' }
    const params = { roleId: role.roleId }
    const answer = await asRoot('updateAdminRole', { params, body: changed })
    expect(answer).toMatchObject({ status: 200, body: { role: changed } })
    await asRoot('updateAdminRole', { params, body: role })
  })

  it('refuses a priority that ranks with a superadmin, and a permission that nothing declares', async () => {
    const params = { roleId: (await freshRole()).roleId }
    expect(await asRoot('updateAdminRole', { params, body: { priority: 100 } })).toMatchObject(
      refusal(403, 'ForbiddenError'),
    )
    const body = { permissions: ['user:fly'] }
    expect(await asRoot('updateAdminRole', { params, body })).toMatchObject(
      refusal(404, 'PermissionNotFoundError'),
    )
  })
})

describe('deleteAdminRole', () => {
  it('deletes a role that nobody has (A-164)', async () => {
    const { roleId, name } = await freshRole()
    const answer = await asRoot('deleteAdminRole', { params: { roleId } })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(await getRoleByName(name)).toBeNull()
  })

  it('refuses a role that users have, with how many they are', async () => {
    const { roleId, name } = await freshRole()
    const { userId } = await auth.createUser({ role: name })
    const answer = await asRoot('deleteAdminRole', { params: { roleId } })
    expect(answer).toMatchObject(refusal(409, 'RoleInUseError'))
    expect(answer.body.userCount).toBe(1)
    expect(await getUserRole(userId)).toBe(name)
  })

  it.each(['superadmin', 'admin', 'user'])('keeps %s', async (name) => {
    const roleId = (await getRoleByName(name))?.roleId ?? ''
    expect(await asRoot('deleteAdminRole', { params: { roleId } })).toMatchObject(
      refusal(403, 'BuiltinRoleError'),
    )
  })
})

describe('an id that is unknown or none', () => {
  const ids = [randomUUID(), 'x', '0', '%27', 'a'.repeat(300), 'null']
  const withoutIds = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
    const { error, ...rest } = body as { error: Record<string, unknown> }
    return { status, ...rest, error: { ...error, requestId: '' } }
  }

  it.each([
    ['updateAdminRole', 'roleId', { displayName: 'X' }, 'RoleNotFoundError'],
    ['deleteAdminRole', 'roleId', undefined, 'RoleNotFoundError'],
    ['updateUserRole', 'userId', { role: 'user' }, 'UserNotFoundError'],
  ] as const)('is answered alike by %s', async (name, parameter, body, code) => {
    const answers = await Promise.all(
      ids.map((id) => asRoot(name, { params: { [parameter]: id }, body })),
    )
    const [first, ...others] = answers.map(withoutIds)
    expect(first).toMatchObject({ status: 404, error: { code } })
    for (const other of others) expect(other).toEqual(first)
  })
})

describe('updateUserRole', () => {
  it('gives a user a role, and counts on their next request (A-164)', async () => {
    const user = await auth.signedInUser()
    const role = await freshRole({ permissions: ['user:read'] })
    const seen: unknown[] = []
    const unsubscribe = roleChangedEvent.subscribe((payload) => void seen.push(payload))
    const params = { userId: user.userId }
    const answer = await asRoot('updateUserRole', { params, body: { role: role.name } })
    unsubscribe()
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({ userId: user.userId, role: role.name })
    const session = await auth.call('getAuthSession', undefined, user.key)
    expect(session.body).toMatchObject({ role: { name: role.name }, permissions: ['user:read'] })
    expect(seen).toEqual([{ userId: user.userId, role: role.name }])
  })

  it('refuses a role that is unknown', async () => {
    const { userId } = await auth.createUser()
    const answer = await asRoot('updateUserRole', { params: { userId }, body: { role: 'ghost' } })
    expect(answer).toMatchObject(refusal(404, 'RoleNotFoundError'))
    expect(await getUserRole(userId)).toBe('user')
  })

  it('answers a deleted user as one that is unknown', async () => {
    const { userId } = await auth.createUser()
    await db.update(users).set({ status: 'deleted' }).where(eq(users.userId, userId))
    const answer = await asRoot('updateUserRole', { params: { userId }, body: { role: 'admin' } })
    expect(answer).toMatchObject(refusal(404, 'UserNotFoundError'))
    expect(await getUserRole(userId)).toBe('user')
  })

  it('says nothing when the user has the role already', async () => {
    const { userId } = await auth.createUser()
    const seen: unknown[] = []
    const unsubscribe = roleChangedEvent.subscribe((payload) => void seen.push(payload))
    const answer = await asRoot('updateUserRole', { params: { userId }, body: { role: 'user' } })
    unsubscribe()
    expect(answer).toMatchObject({ status: 200, body: { userId, role: 'user' } })
    expect(seen).toEqual([])
    expect(await db.$count(auditEvents, eq(auditEvents.target, userId))).toBe(0)
  })

  it('lets a superadmin make and unmake another, who has lost the right at once', async () => {
    const user = await auth.signedInUser()
    const params = { userId: user.userId }
    await asRoot('updateUserRole', { params, body: { role: 'superadmin' } })
    expect(await auth.call('listRoles', undefined, user.key)).toMatchObject({ status: 200 })
    await asRoot('updateUserRole', { params, body: { role: 'user' } })
    expect(await auth.call('listRoles', undefined, user.key)).toMatchObject({ status: 403 })
  })

  it('refuses to demote the last superadmin; a suspended one does not count', async () => {
    const suspended = await auth.createUser({ role: 'superadmin' })
    await db.update(users).set({ status: 'suspended' }).where(eq(users.userId, suspended.userId))
    const params = { userId: root.userId }
    expect(await asRoot('updateUserRole', { params, body: { role: 'admin' } })).toMatchObject(
      refusal(403, 'LastSuperadminError'),
    )
    expect(await getUserRole(root.userId)).toBe('superadmin')
  })

  it('leaves nothing behind when it is refused', async () => {
    const acts = () => db.$count(auditEvents, eq(auditEvents.act, 'user.role_changed'))
    const before = await acts()
    const params = { userId: root.userId }
    await asRoot('updateUserRole', { params, body: { role: 'user' } })
    expect(await acts()).toBe(before)
  })
})

describe('nobody', () => {
  const admin = { rolePriority: 80, permissions: ['user:read'] }

  it('grants what they do not hold', () => {
    expect(() => refuseEscalation(admin, { permissions: ['user:read', 'user:write'] })).toThrow(
      'You do not hold what you grant.',
    )
    expect(() => refuseEscalation(admin, { permissions: ['user:read'] })).not.toThrow()
  })

  it('makes a role that ranks with their own', () => {
    expect(() => refuseEscalation(admin, { priority: 80 })).toThrow('priority must be below')
    expect(() => refuseEscalation(admin, { priority: 79 })).not.toThrow()
  })
})

describe('the checks of an application', () => {
  it('ask for one permission, any of several, or all of them (A-061)', async () => {
    const { name } = await freshRole({ permissions: ['user:read', 'user:write'] })
    const { userId } = await auth.createUser({ role: name })
    expect(await getUserPermissions(userId)).toEqual(['user:read', 'user:write'])
    expect(await hasPermission(userId, 'user:read')).toBe(true)
    expect(await hasPermission(userId, 'user:delete')).toBe(false)
    expect(await hasAnyPermission(userId, ['user:delete', 'user:write'])).toBe(true)
    expect(await hasAnyPermission(userId, ['user:delete', 'user:invite'])).toBe(false)
    expect(await hasAnyPermission(userId, [])).toBe(false)
    expect(await hasAllPermissions(userId, ['user:read', 'user:write'])).toBe(true)
    expect(await hasAllPermissions(userId, ['user:read', 'user:delete'])).toBe(false)
  })

  it('ask for a role, or any of several (A-061)', async () => {
    const { userId } = await auth.createUser({ role: 'admin' })
    expect(await getUserRole(userId)).toBe('admin')
    expect(await hasRole(userId, 'admin')).toBe(true)
    expect(await hasRole(userId, 'superadmin')).toBe(false)
    expect(await hasAnyRole(userId, ['user', 'admin'])).toBe(true)
    expect(await hasAnyRole(userId, ['user', 'superadmin'])).toBe(false)
  })

  it.each([randomUUID(), 'nobody', ''])('know nothing good of nobody: %j', async (userId) => {
    expect(await getUserRole(userId)).toBeNull()
    expect(await getUserPermissions(userId)).toEqual([])
    expect(await hasAllPermissions(userId, [])).toBe(false)
    expect(await hasAnyRole(userId, ['user'])).toBe(false)
  })

  it('let nobody act whose account is not active', async () => {
    const { userId } = await auth.createUser({ role: 'admin' })
    await db.update(users).set({ status: 'suspended' }).where(eq(users.userId, userId))
    expect(await hasPermission(userId, 'user:read')).toBe(false)
    expect(await hasRole(userId, 'admin')).toBe(false)
    expect(await getUserRole(userId)).toBe('admin')
  })
})

describe('role administration from an application', () => {
  it('creates, changes, finds, lists and deletes roles (A-062)', async () => {
    const name = freshName()
    const created = await createRole({ name, displayName: 'Clerk', permissions: ['user:read'] })
    expect(created).toMatchObject({ name, priority: 10, permissions: ['user:read'] })
    expect(await getRoleByName(name)).toEqual(created)
    expect(await getAllRoles()).toContainEqual(created)
    const changed = await updateRole(name, { displayName: 'Head clerk', priority: 12 })
    expect(changed).toEqual({ ...created, displayName: 'Head clerk', priority: 12 })
    await deleteRole(name)
    expect(await getRoleByName(name)).toBeNull()
  })

  it('sets, adds, takes and reads what a role grants (A-062)', async () => {
    const { name } = await freshRole()
    expect(await setRolePermissions(name, ['user:write', 'user:read'])).toEqual([
      'user:read',
      'user:write',
    ])
    expect(await addPermissionToRole(name, 'user:delete')).toEqual([
      'user:delete',
      'user:read',
      'user:write',
    ])
    expect(await addPermissionToRole(name, 'user:delete')).toHaveLength(3)
    expect(await removePermissionFromRole(name, 'user:read')).toEqual(['user:delete', 'user:write'])
    expect(await getRolePermissions(name)).toEqual(['user:delete', 'user:write'])
    expect(await setRolePermissions(name, [])).toEqual([])
  })

  it('refuses what is unknown, taken, in use or built in', async () => {
    const { name } = await freshRole()
    await auth.createUser({ role: name })
    const missing = { name: 'RoleNotFoundError' }
    await expect(createRole({ name, displayName: 'Again' })).rejects.toMatchObject({
      name: 'RoleAlreadyExistsError',
    })
    await expect(deleteRole(name)).rejects.toMatchObject({ name: 'RoleInUseError', userCount: 1 })
    await expect(deleteRole('ghost')).rejects.toMatchObject(missing)
    await expect(updateRole('ghost', {})).rejects.toMatchObject(missing)
    await expect(setRolePermissions('ghost', [])).rejects.toMatchObject(missing)
    await expect(addPermissionToRole(name, 'user:fly')).rejects.toMatchObject({
      name: 'PermissionNotFoundError',
    })
    const builtin = { name: 'BuiltinRoleError' }
    await expect(deleteRole('user')).rejects.toMatchObject(builtin)
    await expect(updateRole('user', { isActive: false })).rejects.toMatchObject(builtin)
    await expect(setRolePermissions('superadmin', [])).rejects.toMatchObject(builtin)
    await expect(removePermissionFromRole('superadmin', 'user:read')).rejects.toMatchObject(builtin)
    expect(await getRolePermissions('ghost')).toEqual([])
  })

  it('takes everything from those who have a role that is not active, and gives it to nobody', async () => {
    const { name } = await freshRole({ permissions: ['user:read'] })
    const user = await auth.signedInUser({ role: name })
    await updateRole(name, { isActive: false })
    const session = await auth.call('getAuthSession', undefined, user.key)
    expect(session.body.permissions).toEqual([])
    expect(await hasPermission(user.userId, 'user:read')).toBe(false)
    expect(await hasRole(user.userId, name)).toBe(false)
    const params = { userId: (await auth.createUser()).userId }
    expect(await asRoot('updateUserRole', { params, body: { role: name } })).toMatchObject(
      refusal(403, 'ForbiddenError'),
    )
  })
})
