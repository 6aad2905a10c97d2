import { randomUUID } from 'node:crypto'
import { defineRouter } from '@svc/core'
import { route } from '@svc/core/contract'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuthContract } from '../../auth-contract.ts'
import { machineOf } from '../../machine-keys/testing/machines.ts'
import { accessTokenAuth } from '../../oauth2/oauth2.ts'
import { agentOptions, testAgents } from '../../oauth2/testing/test-agent.ts'
import { getUserRoles, requirePermissions, requireRole, updateRole } from '../../roles/roles.ts'
import { refused } from '../../test-answers.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../../testing.ts'

// The faults that Keycloak had in 2026 where it delegates administration, as they would be here. Its clients that put
// roles into tokens are our machine keys and agents; its groups and scopes that a delegate may not see are our roles.

const opened = () => ({ opened: true })
const auth = await startTestAuth({
  ...agentOptions,
  options: {
    ...agentOptions.options,
    roles: [
      { name: 'support', displayName: 'Support', priority: 50 },
      { name: 'host', displayName: 'Host', priority: 40 },
      { name: 'owner', displayName: 'Owner', priority: 500 },
    ],
    rolePermissions: {
      support: ['user:read', 'user:write'],
      host: ['user:invite', 'rbac:role:manage', 'rbac:permission:manage'],
    },
  },
  router: defineRouter({
    superadmins: route
      .get('/superadmins')
      .use([requireRole('superadmin')])
      .handler(opened),
    deleters: route
      .get('/deleters')
      .use([requirePermissions('user:delete')])
      .handler(opened),
    tools: route
      .get('/mcp')
      .use([accessTokenAuth('/mcp'), requirePermissions('user:read')])
      .handler(opened),
  }),
})
afterAll(() => auth.stop())
const agents = testAgents(auth)

const root = await auth.signedInUser({ role: 'superadmin' })
const victim = await auth.signedInUser({ role: 'admin', otherRoles: ['user'] })
/** What two delegates may do together: see, change and invite users. Not delete any, nor read the trail. */
const delegate = await auth.signedInUser({ role: 'support', otherRoles: ['host'] })

const forbidden = refused(403, 'ForbiddenError')
const call = (name: keyof AuthContract, body?: unknown, { key } = delegate, input = {}) =>
  auth.call(name, body, key, input)
const params = (userId: string) => ({ params: { userId } })

async function enter(path: string, key: TestKey) {
  const request = { method: 'GET', url: `${auth.url}${path}`, body: '' }
  return (await fetch(request.url, { headers: await auth.signerOf(key)(request) })).status
}

describe('CVE-2026-14614: what a delegate refers to is checked, not only what it is put into', () => {
  it('an invitation carries no role above theirs, or with what they do not hold', async () => {
    const { body } = await call('createAdminRole', newRole(['user:delete']), root)
    for (const role of ['superadmin', 'admin', 'support', 'owner', body.role.name]) {
      const email = `${randomUUID()}@example.com`
      expect(await call('createInvitation', { email, role }), role).toMatchObject(forbidden)
    }
    const mine = await call('createAdminRole', newRole(['user:write', 'user:invite']), root)
    const email = `${randomUUID()}@example.com`
    const { role } = mine.body
    expect(await call('createInvitation', { email, role: role.name })).toMatchObject({
      status: 201,
    })
  })

  it('one that was made is worth nothing when its inviter has lost the role for it', async () => {
    const inviter = await auth.signedInUser({ role: 'support', otherRoles: ['host'] })
    const { userId } = inviter
    const { body } = await call('createAdminRole', newRole(['user:write']), root)
    const email = `${randomUUID()}@example.com`
    const ask = () => call('createInvitation', { email, role: body.role.name }, inviter)
    const token = await auth.linkSentBy(ask, email, 'invitation')
    const look = () => auth.call('getInvitation', { token })
    expect(await look()).toMatchObject({ status: 200 })
    await call('addUserRole', { role: 'user' }, root, params(userId))
    await call('removeUserRole', undefined, root, { params: { userId, role: 'support' } })
    expect(await getUserRoles(userId)).toEqual(['host', 'user'])
    expect(await look()).toMatchObject({ status: 404 })
  })

  it('a role of theirs gets no permission by its name in a body', async () => {
    for (const [name, body] of [
      ['createAdminRole', newRole(['user:read'])],
      ['addUserRole', { role: 'host' }],
      ['updateUserRole', { role: 'user' }],
    ] as const) {
      // Of the access, which is asked before the account is looked for: a superadmin is told that there is none.
      for (const userId of [victim.userId, randomUUID()]) {
        expect(await call(name, body, delegate, params(userId)), name).toMatchObject(forbidden)
      }
    }
  })
})

describe('CVE-2026-14615 and CVE-2026-14209: a way around shows no account that would not be shown', () => {
  it('accounts are found by a role, an id or a name with `user:read` alone', async () => {
    const { userId, publicId, email } = victim
    const host = await auth.signedInUser({ role: 'host', otherRoles: ['user'] })
    for (const query of [{}, { role: 'admin' }, { id: userId }, { id: publicId }, { email }]) {
      const answer = await call('listUsers', undefined, host, { query })
      expect(answer, JSON.stringify(query)).toMatchObject(forbidden)
      expect(JSON.stringify(answer.body)).not.toContain(userId)
    }
    expect(await call('readUser', undefined, host, params(userId))).toMatchObject(forbidden)
  })

  it('roles are listed to superadmins alone, even if a delegate has `rbac` permissions', async () => {
    expect(await call('listRoles')).toMatchObject(forbidden)
    for (const userId of [victim.userId, randomUUID()]) {
      for (const role of ['owner', 'nobody']) {
        const removed = { params: { userId, role } }
        expect(await call('removeUserRole', undefined, delegate, removed)).toMatchObject(forbidden)
      }
    }
  })
})

describe('CVE-2026-4629: a program has no more than its owner, even if it was made with more', () => {
  it('a machine key is not given what its owner does not hold', async () => {
    for (const [permissions, status] of [
      [['user:read', 'user:delete'], 400],
      [['user:read', 'user:invite'], 200],
    ] as const) {
      const { registration } = await createTestKey()
      const answer = await call('createMachineKey', { ...registration, permissions })
      expect(answer, permissions.join()).toMatchObject({ status })
    }
  })

  it('it passes no gate that asks for a role, also where its owner does', async () => {
    const key = await machineOf(auth, root, { permissions: ['user:delete'] })
    expect(await enter('/superadmins', root.key)).toBe(200)
    expect(await enter('/deleters', key)).toBe(200)
    expect(await enter('/superadmins', key)).toBe(403)
    expect(await call('listRoles', undefined, { ...root, key })).toMatchObject(forbidden)
    const give = call('addUserRole', { role: 'admin' }, { ...root, key }, params(victim.userId))
    expect(await give).toMatchObject(forbidden)
  })

  it('it loses with the role what only that one granted', async () => {
    const owner = await auth.signedInUser({ otherRoles: ['support'] })
    const key = await machineOf(auth, owner, { permissions: ['user:read'] })
    const list = () => call('listUsers', undefined, { ...owner, key })
    expect(await list()).toMatchObject({ status: 200 })
    const taken = { params: { userId: owner.userId, role: 'support' } }
    await call('removeUserRole', undefined, root, taken)
    expect(await list()).toMatchObject(forbidden)
    await call('addUserRole', { role: 'host' }, root, params(owner.userId))
    expect(await list()).toMatchObject(forbidden)
  })

  it('an agent’s token does too', async () => {
    const owner = await auth.signedInUser({ otherRoles: ['support'] })
    const agent = await agents.register()
    const asked = { scope: 'user:read', resource: `${auth.url}/mcp` }
    const { access_token } = await agents.tokens(owner, agent, asked)
    expect(await agents.open(access_token)).toMatchObject({ status: 200 })
    const taken = { params: { userId: owner.userId, role: 'support' } }
    await call('removeUserRole', undefined, root, taken)
    expect(await agents.open(access_token)).toMatchObject(forbidden)
  })
})

describe('no operator acts upwards', () => {
  const acts = ['suspendUser', 'signUserOut', 'requireNewPassword'] as const
  const isRefused = async (by: TestUser, { userId }: { userId: string }) => {
    for (const act of acts) {
      expect(await call(act, {}, by, params(userId)), act).toMatchObject(forbidden)
    }
  }

  it('the highest role of both counts, whichever of them they were given first', async () => {
    await isRefused(delegate, victim)
    await isRefused(delegate, await auth.createUser({ role: 'user', otherRoles: ['support'] }))
    await isRefused(delegate, await auth.createUser({ role: 'support', otherRoles: ['user'] }))
    const below = await auth.createUser({ role: 'user', otherRoles: ['host'] })
    const suspend = call('suspendUser', {}, delegate, params(below.userId))
    expect(await suspend).toMatchObject({ status: 204 })
  })

  it('a role that is not active protects those who have it, and raises no rank', async () => {
    const { role } = (await call('createAdminRole', { ...newRole([]), priority: 60 }, root)).body
    const [lifted, protectedUser] = [
      await auth.signedInUser({ role: 'support', otherRoles: [role.name] }),
      await auth.createUser({ otherRoles: [role.name] }),
    ]
    await updateRole(role.name, { isActive: false })
    await isRefused(lifted, await auth.createUser({ role: 'support' }))
    await isRefused(delegate, protectedUser)
  })

  it('only superadmins act on one who is a superadmin by any role', async () => {
    const owner = await auth.signedInUser({ role: 'owner', otherRoles: ['support'] })
    const other = await auth.createUser({ role: 'user', otherRoles: ['superadmin'] })
    await isRefused(owner, root)
    await isRefused(owner, other)
    await isRefused(delegate, other)
    const second = await auth.signedInUser({ role: 'user', otherRoles: ['superadmin'] })
    const suspend = call('suspendUser', {}, second, params(other.userId))
    expect(await suspend).toMatchObject({ status: 204 })
  })
})

let count = 0
function newRole(permissions: string[]) {
  const name = `case-${++count}`
  return { name, displayName: name, priority: 20, permissions }
}
