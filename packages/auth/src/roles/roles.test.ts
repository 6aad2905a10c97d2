import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { refused } from '../test-answers.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { getAllRoles, getRoleByName, getUserRole } from './roles.ts'
import { testRoles } from './test-roles.ts'

const chief = { name: 'chief', displayName: 'Chief', priority: 500 }
const auth = await startTestAuth({ options: { roles: [chief] } })
afterAll(() => auth.stop())
const { freshName, freshRole, asRoot } = await testRoles(auth)

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
      auth.call('addUserRole', { role: 'superadmin' }, key, { params: { userId } }),
      auth.call('removeUserRole', undefined, key, { params: { userId, role: 'user' } }),
    ])
  }

  it.each(['admin', 'user', 'chief'])('refuse a caller with the role %s (A-163)', async (role) => {
    const caller = await auth.signedInUser({ role })
    const before = await getAllRoles()
    const answers = await operations(caller.key)
    for (const answer of answers) expect(answer).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await getAllRoles()).toHaveLength(before.length + 1)
  })

  it('ask a caller who has not signed in to do so, and say nothing of permissions', async () => {
    for (const answer of await operations()) {
      expect(answer).toMatchObject(refused(401, 'UnauthorizedError'))
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
    expect(answer).toMatchObject(refused(409, 'RoleAlreadyExistsError'))
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
      refused(404, 'PermissionNotFoundError'),
    )
    expect(await getRoleByName(body.name)).toBeNull()
  })

  it.each([100, 101])('refuses the priority %d: none ranks with a superadmin', async (priority) => {
    const body = { name: freshName(), displayName: 'Emperor', priority }
    expect(await asRoot('createAdminRole', { body })).toMatchObject(refused(403, 'ForbiddenError'))
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
    expect(await asRoot('createAdminRole', { body })).toMatchObject(refused(400, 'ValidationError'))
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
    expect(answer).toMatchObject(refused(409, 'RoleAlreadyExistsError'))
    expect(answer.body.roleId).toBe(other)
  })

  it.each(['superadmin', 'admin', 'user'])('keeps the name and priority of %s', async (name) => {
    const { roleId, priority } = (await getRoleByName(name)) ?? { roleId: '', priority: 0 }
    for (const body of [{ name: 'other' }, { priority: priority - 1 }]) {
      expect(await asRoot('updateAdminRole', { params: { roleId }, body })).toMatchObject(
        refused(403, 'BuiltinRoleError'),
      )
    }
    expect(await getRoleByName(name)).toMatchObject({ roleId, priority })
  })

  it('takes nothing from the superadmin', async () => {
    const role = await getRoleByName('superadmin')
    const params = { roleId: role?.roleId ?? '' }
    const body = { permissions: ['user:read'] }
    expect(await asRoot('updateAdminRole', { params, body })).toMatchObject(
      refused(403, 'BuiltinRoleError'),
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
      refused(403, 'ForbiddenError'),
    )
    const body = { permissions: ['user:fly'] }
    expect(await asRoot('updateAdminRole', { params, body })).toMatchObject(
      refused(404, 'PermissionNotFoundError'),
    )
  })
})

describe('deleteAdminRole', () => {
  it('deletes a role that no account has (A-164)', async () => {
    const { roleId, name } = await freshRole()
    const answer = await asRoot('deleteAdminRole', { params: { roleId } })
    expect(answer).toMatchObject({ status: 204, body: undefined })
    expect(await getRoleByName(name)).toBeNull()
  })

  it('refuses a role that users have, with how many they are', async () => {
    const { roleId, name } = await freshRole()
    const { userId } = await auth.createUser({ role: name })
    const answer = await asRoot('deleteAdminRole', { params: { roleId } })
    expect(answer).toMatchObject(refused(409, 'RoleInUseError'))
    expect(answer.body.userCount).toBe(1)
    expect(await getUserRole(userId)).toBe(name)
  })

  it.each(['superadmin', 'admin', 'user'])('keeps %s', async (name) => {
    const roleId = (await getRoleByName(name))?.roleId ?? ''
    expect(await asRoot('deleteAdminRole', { params: { roleId } })).toMatchObject(
      refused(403, 'BuiltinRoleError'),
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
    ['addUserRole', 'userId', { role: 'user' }, 'UserNotFoundError'],
  ] as const)('is answered alike by %s', async (name, parameter, body, code) => {
    const answers = await Promise.all(
      ids.map((id) => asRoot(name, { params: { [parameter]: id }, body })),
    )
    const [first, ...others] = answers.map(withoutIds)
    expect(first).toMatchObject({ status: 404, error: { code } })
    for (const other of others) expect(other).toEqual(first)
  })
})
