import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { roleChangedEvent } from '../events.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import { refuseEscalation } from './rank.ts'
import { getUserRole } from './roles.ts'
import { testRoles } from './test-roles.ts'

const auth = await startTestAuth()
const { db } = auth.auth
afterAll(() => auth.stop())
const { root, freshRole, asRoot } = await testRoles(auth)

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
    expect(answer).toMatchObject(refused(404, 'RoleNotFoundError'))
    expect(await getUserRole(userId)).toBe('user')
  })

  it('answers a deleted user as one that is unknown', async () => {
    const { userId } = await auth.createUser()
    await db.update(users).set({ status: 'deleted' }).where(eq(users.userId, userId))
    const answer = await asRoot('updateUserRole', { params: { userId }, body: { role: 'admin' } })
    expect(answer).toMatchObject(refused(404, 'UserNotFoundError'))
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
      refused(403, 'LastSuperadminError'),
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

describe('no operator', () => {
  const admin = { rolePriority: 80, permissions: ['user:read'] }

  it('grants what they do not hold', () => {
    expect(() => refuseEscalation(admin, { permissions: ['user:read', 'user:write'] })).toThrow(
      'You can only grant permissions that you have.',
    )
    expect(() => refuseEscalation(admin, { permissions: ['user:read'] })).not.toThrow()
  })

  it('makes a role that ranks with their own', () => {
    expect(() => refuseEscalation(admin, { priority: 80 })).toThrow('priority must be lower')
    expect(() => refuseEscalation(admin, { priority: 79 })).not.toThrow()
  })
})
