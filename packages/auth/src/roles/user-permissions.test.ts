import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { createRole, deleteRole, updateRole } from './change-roles.ts'
import {
  addPermissionToRole,
  getAllRoles,
  getRoleByName,
  getRolePermissions,
  getUserPermissions,
  getUserRole,
  hasAllPermissions,
  hasAnyPermission,
  hasAnyRole,
  hasPermission,
  hasRole,
  removePermissionFromRole,
  setRolePermissions,
} from './roles.ts'
import { testRoles } from './test-roles.ts'

const auth = await startTestAuth()
const { db } = auth.auth
afterAll(() => auth.stop())
const { freshName, freshRole, asRoot } = await testRoles(auth)

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

  it.each([randomUUID(), 'nobody', ''])(
    'permit nothing where there is no account: %j',
    async (userId) => {
      expect(await getUserRole(userId)).toBeNull()
      expect(await getUserPermissions(userId)).toEqual([])
      expect(await hasAllPermissions(userId, [])).toBe(false)
      expect(await hasAnyRole(userId, ['user'])).toBe(false)
    },
  )

  it('permit nothing to an account that is not active', async () => {
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
    for (const role of ['superadmin', 'admin', 'user']) {
      await expect(updateRole(role, { isActive: false })).rejects.toMatchObject(builtin)
    }
    await expect(setRolePermissions('superadmin', [])).rejects.toMatchObject(builtin)
    await expect(removePermissionFromRole('superadmin', 'user:read')).rejects.toMatchObject(builtin)
    expect(await getRolePermissions('ghost')).toEqual([])
  })

  it('takes all permissions from those who have a role that is not active, and is given to no account', async () => {
    const { name } = await freshRole({ permissions: ['user:read'] })
    const user = await auth.signedInUser({ role: name })
    await updateRole(name, { isActive: false })
    const session = await auth.call('getAuthSession', undefined, user.key)
    expect(session.body.permissions).toEqual([])
    expect(await hasPermission(user.userId, 'user:read')).toBe(false)
    expect(await hasRole(user.userId, name)).toBe(false)
    const params = { userId: (await auth.createUser()).userId }
    expect(await asRoot('updateUserRole', { params, body: { role: name } })).toMatchObject(
      refused(403, 'ForbiddenError'),
    )
  })
})
