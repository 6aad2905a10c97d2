import { defineRouter, defineServer, type Middleware, route } from '@svc/core'
import { createTestDatabase, startTestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { permissions, roles } from '../accounts/schema.ts'
import { createAuthLifecycle } from '../lifecycle.ts'
import { startTestAuth } from '../testing.ts'
import { createRole, deleteRole, updateRole } from './change-roles.ts'
import { declareRoles, type RoleDeclarations } from './declare-roles.ts'
import { requireAnyPermission, requirePermissions } from './guards.ts'
import {
  addPermissionToRole,
  getAllRoles,
  getRoleByName,
  getRolePermissions,
  removePermissionFromRole,
} from './roles.ts'

const declared = {
  roles: [{ name: 'editor', displayName: 'Editor', priority: 40 }],
  permissions: [
    { name: 'post:write', displayName: 'Write posts', category: 'post' },
    { name: 'post:publish', displayName: 'Publish posts', category: 'post' },
  ],
  rolePermissions: { editor: ['post:write', 'auth:self:manage'], admin: ['post:publish'] },
} satisfies RoleDeclarations

const auth = await startTestAuth({ options: declared })
const { db } = auth.auth
afterAll(() => auth.stop())

describe('at startup', () => {
  it('has the built-in roles with their priorities (A-057)', async () => {
    const builtin = (await getAllRoles()).filter(({ isBuiltin }) => isBuiltin)
    expect(builtin.map(({ name, priority }) => [name, priority])).toEqual([
      ['superadmin', 100],
      ['admin', 80],
      ['user', 10],
    ])
  })

  it('has the built-in permissions (A-058)', async () => {
    const rows = await db.select().from(permissions)
    const builtin = rows.filter(({ isBuiltin }) => isBuiltin).map(({ name }) => name)
    expect(builtin.toSorted()).toEqual([
      'audit:read',
      'auth:self:manage',
      'job:read',
      'job:write',
      'rbac:permission:manage',
      'rbac:role:manage',
      'server:read',
      'stream:read',
      'stream:write',
      'support:act',
      'user:delete',
      'user:invite',
      'user:read',
      'user:write',
    ])
  })

  it('grants the built-in roles what they have by default, and the superadmin everything (A-059)', async () => {
    expect(await getRolePermissions('user')).toEqual(['auth:self:manage'])
    expect(await getRolePermissions('admin')).toEqual([
      'audit:read',
      'auth:self:manage',
      'job:read',
      'job:write',
      'post:publish',
      'server:read',
      'stream:read',
      'stream:write',
      'user:delete',
      'user:invite',
      'user:read',
      'user:write',
    ])
    const everything = await db.select({ name: permissions.name }).from(permissions)
    const superadmins = await getRolePermissions('superadmin')
    expect(superadmins.toSorted()).toEqual(everything.map(({ name }) => name).toSorted())
    expect(superadmins).toContain('post:publish')
  })

  it('has the roles, permissions and grants that the application declares (A-060)', async () => {
    expect(await getRoleByName('editor')).toMatchObject({
      displayName: 'Editor',
      priority: 40,
      isBuiltin: false,
      isActive: true,
      permissions: ['auth:self:manage', 'post:write'],
    })
    const [permission] = (await db.select().from(permissions)).filter(
      ({ name }) => name === 'post:publish',
    )
    expect(permission).toEqual({
      name: 'post:publish',
      displayName: 'Publish posts',
      category: 'post',
      isBuiltin: false,
    })
  })
})

describe('at a restart', () => {
  it('leaves everything as it was', async () => {
    const before = await db.select().from(roles).orderBy(roles.name)
    await declareRoles(db, declared)
    await declareRoles(db, {})
    expect(await db.select().from(roles).orderBy(roles.name)).toEqual(before)
  })

  it('keeps what an administrator has changed, and grants only what is new in the code', async () => {
    await updateRole('editor', { displayName: 'Chief editor', priority: 45 })
    await removePermissionFromRole('editor', 'post:write')
    await addPermissionToRole('editor', 'user:read')
    await removePermissionFromRole('user', 'auth:self:manage')
    await declareRoles(db, {
      ...declared,
      rolePermissions: { editor: ['post:write', 'post:publish', 'auth:self:manage'] },
    })
    expect(await getRoleByName('editor')).toMatchObject({
      displayName: 'Chief editor',
      priority: 45,
      permissions: ['auth:self:manage', 'post:publish', 'user:read'],
    })
    expect(await getRolePermissions('user')).toEqual([])
    await addPermissionToRole('user', 'auth:self:manage')
  })

  it('does not bring back a role that was deleted or renamed', async () => {
    const options = {
      roles: ['guest', 'visitor'].map((name) => ({ name, displayName: name, priority: 1 })),
      rolePermissions: { guest: ['user:read'] },
    }
    await declareRoles(db, options)
    await deleteRole('guest')
    await updateRole('visitor', { name: 'caller' })
    await declareRoles(db, options)
    const names = (await getAllRoles()).map(({ name }) => name)
    expect(names).toContain('caller')
    expect(names).not.toContain('guest')
    expect(names).not.toContain('visitor')
  })

  it('leaves a role alone that an administrator has made before the code named it', async () => {
    const { roleId } = await createRole({ name: 'auditor', displayName: 'Auditor', priority: 30 })
    await declareRoles(db, {
      roles: [{ name: 'auditor', displayName: 'Another', priority: 3 }],
      rolePermissions: { auditor: ['audit:read'] },
    })
    expect(await getRoleByName('auditor')).toMatchObject({
      roleId,
      displayName: 'Auditor',
      priority: 30,
      permissions: ['audit:read'],
    })
  })

  it('gives the superadmin a permission as soon as it is declared', async () => {
    const fresh = { name: 'report:read', displayName: 'Read reports', category: 'report' }
    await declareRoles(db, { permissions: [fresh] })
    expect(await getRolePermissions('superadmin')).toContain('report:read')
  })
})

it('declares everything once when eight instances of two releases start at once', async () => {
  const directory = new URL('../../migrations/', import.meta.url)
  const database = await createTestDatabase({ sources: [{ name: 'svc-auth', directory }] })
  const names = Array.from({ length: 20 }, (_, index) => `role-${index}`)
  const list = names.map((name) => ({ name, displayName: name, priority: 1 }))
  const rolePermissions = Object.fromEntries(names.map((name) => [name, ['user:read']]))
  const reversed = Object.fromEntries(Object.entries(rolePermissions).toReversed())
  const older = { roles: list, rolePermissions }
  const newer = { roles: list.toReversed(), rolePermissions: reversed }
  await Promise.all(
    Array.from({ length: 8 }, (_, index) => declareRoles(database.db, index % 2 ? older : newer)),
  )
  const rows = await database.db.select().from(roles)
  expect(rows).toHaveLength(23)
  expect(rows.filter(({ name }) => name.startsWith('role-'))).toSatisfy((each: typeof rows) =>
    each.every((role) => role.permissions.join() === 'user:read'),
  )
  await database.drop()
})

describe('declarations that contradict themselves', () => {
  /** Nothing listens there: whatever would connect first would say so. */
  const env = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
    SVC_AUTH_VERIFICATION_TOKEN_SECRET: 'a secret of the tests, long enough for any check',
    SVC_MAIL_URL: 'none',
    SVC_SMS_URL: 'none',
  }
  const refusalOf = async (options: RoleDeclarations, router = defineRouter({})) => {
    const definition = defineServer().routes(router).lifecycle(createAuthLifecycle(options))
    const error = await startTestServer(definition, { env }).catch((refused: unknown) => refused)
    return error as { name: string; message: string; problems?: string[] }
  }
  const problemsOf = async (options: RoleDeclarations) => (await refusalOf(options)).problems

  it('refuse to start, with every problem in one error, before the database is asked', async () => {
    const role = { displayName: 'A role', priority: 5 }
    const problems = await problemsOf({
      roles: [
        { ...role, name: 'no spaces' },
        { ...role, name: 'admin' },
        { ...role, name: 'twin' },
        { ...role, name: 'twin' },
        { ...role, name: 'half', priority: 1.5 },
        { ...role, name: 'below', priority: -1 },
        { ...role, name: 'silent', displayName: '' },
      ],
      permissions: [
        { name: 'a:', displayName: 'A', category: 'a' },
        { name: 'b:c', displayName: '', category: '' },
      ],
      rolePermissions: { nobody: ['user:read'], user: ['user:fly'] },
    })
    expect(problems).toEqual([
      'createAuthLifecycle: roles has "twin" twice',
      expect.stringContaining('"no spaces" must begin with a letter'),
      'createAuthLifecycle: "admin" is a built-in role, whose priority is 80',
      expect.stringContaining('priority of the role "half"'),
      expect.stringContaining('priority of the role "below"'),
      'createAuthLifecycle: the role "silent" has no displayName',
      expect.stringContaining('the permission name "a:"'),
      'createAuthLifecycle: the permission "b:c" has no displayName',
      'createAuthLifecycle: the permission "b:c" has no category',
      'createAuthLifecycle: rolePermissions names an unknown role: "nobody"',
      'createAuthLifecycle: rolePermissions.user names an unknown permission: "user:fly"',
    ])
  })

  const asking = (path: string, guard: Middleware) =>
    route
      .get(path)
      .use([guard])
      .handler((c) => c.noContent())

  it('refuse to start where a route asks for a permission that is not declared, and name the nearest', async () => {
    const router = defineRouter({
      misspelled: asking('/misspelled', requirePermissions('user:read', 'post:wirte')),
      unheardOf: asking('/unheard-of', requireAnyPermission('audit:read', 'moon:land')),
      known: asking('/known', requirePermissions('post:write')),
    })
    const { name, message } = await refusalOf({ permissions: declared.permissions }, router)
    expect(name).toBe('DefinitionError')
    expect(message.split('\n')).toEqual([
      'The server definition has problems:',
      '  Route "misspelled" asks for the permission "post:wirte", which is not declared. Did you mean "post:write"? If not, declare it in createAuthLifecycle({ permissions: [{ name: \'post:wirte\', displayName, category }] }).',
      '  Route "unheardOf" asks for the permission "moon:land", which is not declared. Declare it in createAuthLifecycle({ permissions: [{ name: \'moon:land\', displayName, category }] }).',
    ])
  })

  it('are not those that give a built-in role other words', async () => {
    const admin = { name: 'admin', displayName: 'Head of shop', priority: 80 }
    expect(await problemsOf({ roles: [admin] })).toBeUndefined()
  })
})
