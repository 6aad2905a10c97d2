import { defineRouter, type Middleware } from '@svc/core'
import { route } from '@svc/core/contract'
import type { TestServer } from '@svc/core/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { authRouter } from '../router.ts'
import { startTestAuth, type TestKey } from '../testing.ts'
import { updateRole } from './change-roles.ts'
import { requireAnyPermission, requirePermissions, requireRole, roleGuard } from './guards.ts'
import {
  addPermissionToRole,
  hasPermission,
  removePermissionFromRole,
  setRolePermissions,
} from './roles.ts'

const guarded = (path: string, guard: Middleware) =>
  route
    .get(path)
    .use([guard])
    .handler(() => ({ entered: true }))

const guards = {
  '/all': requirePermissions('post:read', 'post:write'),
  '/any': requireAnyPermission('post:read', 'post:write'),
  '/role': requireRole('editor', 'admin'),
  '/allowed': roleGuard({ allow: ['editor', 'admin'], deny: ['admin'] }),
  '/denied': roleGuard({ deny: ['editor'] }),
  '/everyone': roleGuard({}),
}

const auth = await startTestAuth({
  options: {
    roles: [{ name: 'editor', displayName: 'Editor', priority: 40 }],
    permissions: ['read', 'write'].map((verb) => ({
      name: `post:${verb}`,
      displayName: verb,
      category: 'post',
    })),
  },
  router: defineRouter(
    Object.fromEntries(Object.entries(guards).map(([path, guard]) => [path, guarded(path, guard)])),
  ),
})
afterAll(() => auth.stop())

const editor = await auth.signedInUser({ role: 'editor' })
const admin = await auth.signedInUser({ role: 'admin' })
const user = await auth.signedInUser()

async function enter(path: string, key?: TestKey, { url }: Pick<TestServer, 'url'> = auth.server) {
  const request = { method: 'GET', url: `${url}${path}`, body: '' }
  const headers = key ? await auth.signerOf(key)(request) : {}
  return (await fetch(request.url, { headers })).status
}

describe('a guarded route', () => {
  it.each(Object.keys(guards))(
    'is 401 at %s for whoever has not signed in, never 403',
    async (path) => {
      expect(await enter(path)).toBe(401)
      const stranger = { ...editor.key, keyId: 'never-registered' }
      expect(await enter(path, stranger)).toBe(401)
    },
  )
})

describe('requirePermissions and requireAnyPermission', () => {
  it.each([
    { held: [], all: 403, any: 403 },
    { held: ['post:read'], all: 403, any: 200 },
    { held: ['post:write'], all: 403, any: 200 },
    { held: ['post:read', 'post:write'], all: 200, any: 200 },
    { held: ['user:read'], all: 403, any: 403 },
  ])('ask for all of them and for one: $held (A-322)', async ({ held, all, any }) => {
    await setRolePermissions('editor', held)
    expect(await enter('/all', editor.key)).toBe(all)
    expect(await enter('/any', editor.key)).toBe(any)
  })
})

describe('the log', () => {
  const lastLine = () => auth.logged.findLast(({ msg }) => msg === 'the caller may not do this')

  it('says what a refused caller lacks, and the answer does not', async () => {
    await setRolePermissions('editor', ['post:read'])
    await enter('/all', editor.key)
    expect(lastLine()).toMatchObject({ level: 'info', url: '/all', lacking: ['post:write'] })
    await enter('/role', user.key)
    expect(lastLine()).toMatchObject({ url: '/role', role: 'user' })

    const headers = await auth.signerOf(editor.key)({
      method: 'GET',
      url: `${auth.url}/all`,
      body: '',
    })
    const answer = await auth.fetch('/all', { headers: { ...headers } })
    expect(await answer.text()).not.toContain('post:')
  })
})

describe('requireRole and roleGuard', () => {
  it.each([
    { path: '/role', editors: 200, admins: 200, users: 403 },
    // Deny wins where both lists name a role.
    { path: '/allowed', editors: 200, admins: 403, users: 403 },
    { path: '/denied', editors: 403, admins: 200, users: 200 },
    { path: '/everyone', editors: 200, admins: 200, users: 200 },
  ])(
    'let in and keep out at $path, and deny wins (A-323)',
    async ({ path, editors, admins, users }) => {
      expect(await enter(path, editor.key)).toBe(editors)
      expect(await enter(path, admin.key)).toBe(admins)
      expect(await enter(path, user.key)).toBe(users)
    },
  )

  it('keep out a role that is not active, also where every role may enter', async () => {
    await updateRole('editor', { isActive: false })
    expect(await enter('/role', editor.key)).toBe(403)
    expect(await enter('/everyone', editor.key)).toBe(403)
    await updateRole('editor', { isActive: true })
    expect(await enter('/role', editor.key)).toBe(200)
  })
})

describe('a change of what a role grants', () => {
  it('counts on the next request, at every instance', async () => {
    const other = await auth.secondInstance()
    const both = async () => [
      await enter('/any', editor.key),
      await enter('/any', editor.key, other),
    ]
    for (let round = 0; round < 10; round++) {
      await setRolePermissions('editor', [])
      expect(await both()).toEqual([403, 403])
      await addPermissionToRole('editor', 'post:read')
      expect(await both()).toEqual([200, 200])
    }
  })

  it('counts for another role on the next request, at every instance', async () => {
    const other = await auth.secondInstance()
    const root = await auth.signedInUser({ role: 'superadmin' })
    const clerk = await auth.signedInUser()
    const give = (role: string) =>
      auth.call('updateUserRole', { role }, root.key, {
        params: { userId: clerk.userId },
        at: other,
      })
    for (let round = 0; round < 10; round++) {
      await give('editor')
      expect(await enter('/role', clerk.key)).toBe(200)
      await give('user')
      expect(await enter('/role', clerk.key)).toBe(403)
    }
  })
})

describe('operator operations as the tools of an agent', () => {
  /** As an application lists them: each names one permission, the one that the operation's own route asks for. */
  const tools = [
    { name: 'read-audit-trail', permission: 'audit:read' },
    { name: 'write-posts', permission: 'post:write' },
  ]
  const listFor = async (userId: string) => {
    const held = await Promise.all(tools.map(({ permission }) => hasPermission(userId, permission)))
    return tools.filter((_, index) => held[index]).map(({ name }) => name)
  }
  const readTrail = async () => (await auth.call('listAuditEvents', undefined, editor.key)).status

  it('are gated by the permission names that routes check (A-016)', async () => {
    await setRolePermissions('editor', ['post:write', 'audit:read'])
    expect(await listFor(editor.userId)).toEqual(['read-audit-trail', 'write-posts'])
    expect(await readTrail()).toBe(200)
    expect(await enter('/any', editor.key)).toBe(200)
    await removePermissionFromRole('editor', 'audit:read')
    expect(await listFor(editor.userId)).toEqual(['write-posts'])
    expect(await readTrail()).toBe(403)
    await removePermissionFromRole('editor', 'post:write')
    expect(await listFor(editor.userId)).toEqual([])
    expect(await enter('/any', editor.key)).toBe(403)
  })

  it('are wired up by the application alone: the service has no route for tools', () => {
    const paths = Object.values(authRouter.routes).map(({ operation }) => operation.path)
    expect(paths.filter((path) => /tools|mcp/.test(path))).toEqual([])
  })
})
