import { randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import {
  addPermissionToRole,
  createRole,
  getRolePermissions,
  getUserRole,
  getUserRoles,
  removePermissionFromRole,
  setRolePermissions,
} from '../../roles/roles.ts'
import { clients, eachRound, startRace, times } from './race.ts'

const names = Array.from({ length: 16 }, (_, index) => `task:${String(index).padStart(2, '0')}`)
const [half, otherHalf] = [names.slice(0, 8), names.slice(8)]

const auth = await startRace({
  options: {
    permissions: names.map((name) => ({ name, displayName: name, category: 'task' })),
  },
})
const { db } = auth.auth
afterAll(() => auth.stop())

const pairOf = (index: number) => (index < 0 ? [] : names.slice(2 * index, 2 * index + 2))

const at = (index: number) => ({ at: auth.instances[index % 2 ? 1 : 0] })

describe('superadmins who demote each other at once', () => {
  const setAll = (userIds: string[], role: string) =>
    db.update(users).set({ role }).where(inArray(users.userId, userIds))
  const countSuperadmins = () => db.$count(users, eq(users.role, 'superadmin'))
  /** Who has changed whom, in the order in which it came to be. */
  const changesOf = async (actors: string[]) => {
    const rows = await db
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.act, 'user.role_changed'), inArray(auditEvents.actor, actors)))
      .orderBy(auditEvents.auditId)
    return rows.map(({ actor, target }) => ({ actor, target }))
  }
  const superadmins = (count: number) =>
    Promise.all(
      times(count, () =>
        auth.signedInUser({ role: 'superadmin', email: `${randomUUID()}@example.com` }),
      ),
    )

  it('R28: leave one of two', async () => {
    const two = await superadmins(2)
    const userIds = two.map(({ userId }) => userId)
    await eachRound(async () => {
      await setAll(userIds, 'superadmin')
      const answers = await auth.race(
        times(clients, (index) => {
          // Either is at both instances.
          const own = index % 4 < 2 ? 0 : 1
          const params = { userId: userIds[1 - own] ?? '' }
          return auth.operation('updateUserRole', { role: 'user' }, two[own]?.key, { params })
        }),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 403]))
      expect(await countSuperadmins()).toBe(1)
    })
    await setAll(userIds, 'user')
  })

  it('leave one of four, each of whom demotes all of them', async () => {
    const four = await superadmins(4)
    const userIds = four.map(({ userId }) => userId)
    await eachRound(async () => {
      await setAll(userIds, 'superadmin')
      const answers = await Promise.all(
        four.flatMap(({ key }, index) =>
          userIds.map((userId) =>
            auth.call('updateUserRole', { role: 'user' }, key, {
              params: { userId },
              ...at(index),
            }),
          ),
        ),
      )
      expect(await countSuperadmins()).toBe(1)
      const demoted = (await changesOf(userIds)).slice(-3)
      expect(demoted).toHaveLength(3)
      for (const [index, { target }] of demoted.entries()) {
        // Whoever was demoted has done nothing after it.
        expect(demoted.slice(index + 1).map(({ actor }) => actor)).not.toContain(target)
      }
      const statuses = new Set(answers.map(({ status }) => status))
      expect(statuses).toEqual(new Set([200, 403]))
    })
    await setAll(userIds, 'user')
  })
})

describe('changes of one role at once', () => {
  const freshRole = (permissions: string[], round: string) =>
    createRole({ name: `role-${round}`, displayName: 'A role', permissions })

  it('R27: lose no permission that is added or taken', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    await eachRound(async (round) => {
      const { name, roleId } = await freshRole(half, `grants-${round}`)
      const words = { displayName: `Round ${round}` }
      const answers = await Promise.all([
        auth.call('updateAdminRole', words, root.key, { params: { roleId }, ...at(round) }),
        ...half.map((permission) => removePermissionFromRole(name, permission)),
        ...otherHalf.map((permission) => addPermissionToRole(name, permission)),
      ])
      expect(answers[0]).toMatchObject({ status: 200 })
      expect(await getRolePermissions(name)).toEqual(otherHalf)
    })
  })

  it('come before or after all of a list that is set, never in the middle', async () => {
    await eachRound(async (round) => {
      const { name } = await freshRole([], `set-${round}`)
      await Promise.all([
        setRolePermissions(name, half),
        ...otherHalf.map((permission) => addPermissionToRole(name, permission)),
      ])
      const held = await getRolePermissions(name)
      expect(held.filter((permission) => half.includes(permission))).toEqual(half)
    })
  })
})

describe('roles that are added to and taken from one account at once', () => {
  /** What the trail says that a user has come to have. */
  const writtenFor = async (userId: string) => {
    const rows = await db
      .select({ details: auditEvents.details })
      .from(auditEvents)
      .where(eq(auditEvents.target, userId))
      .orderBy(auditEvents.auditId)
    const held = new Set(['user'])
    for (const { details } of rows) {
      const { added, removed } = details as Record<'added' | 'removed', string[]>
      for (const role of removed) held.delete(role)
      for (const role of added) held.add(role)
    }
    return [...held].toSorted()
  }

  it('are each there or not as the trail says, and requests see all of a change or none (R27)', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    const besides = times(4, (index) => `beside-${index}`)
    for (const [index, name] of besides.entries()) {
      // Each grants two that belong together.
      await createRole({ name, displayName: name, permissions: pairOf(index) })
    }
    await eachRound(async () => {
      const user = await auth.signedInUser()
      const params = { userId: user.userId }
      const answers = await auth.race([
        ...besides.map((role) => auth.operation('addUserRole', { role }, root.key, { params })),
        ...besides.map((role) =>
          auth.operation('removeUserRole', undefined, root.key, { params: { ...params, role } }),
        ),
        ...times(clients - 2 * besides.length, () =>
          auth.operation('getAuthSession', undefined, user.key),
        ),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      const held = await getUserRoles(user.userId)
      expect(held.toSorted()).toEqual(await writtenFor(user.userId))
      const granted = held.flatMap((name) => pairOf(besides.indexOf(name)))
      const seen = await auth.call('getAuthSession', undefined, user.key)
      expect(seen.body.permissions).toEqual(['auth:self:manage', ...granted.toSorted()])
      for (const { body } of answers.slice(2 * besides.length)) {
        const has = (permission?: string) => body.permissions.includes(permission)
        for (const index of besides.keys()) {
          const [one, other] = pairOf(index)
          expect(has(one)).toBe(has(other))
        }
      }
    })
  })

  it('are replaced by the one that is set, or come after it', async () => {
    const root = await auth.signedInUser({ role: 'superadmin' })
    await createRole({ name: 'above', displayName: 'Above', priority: 60 })
    await eachRound(async () => {
      const { userId } = await auth.createUser({ otherRoles: ['beside-0'] })
      const params = { userId }
      const answers = await auth.race([
        auth.operation('updateUserRole', { role: 'admin' }, root.key, { params }),
        auth.operation('addUserRole', { role: 'above' }, root.key, { params }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const outcomes = [['admin'], ['admin', 'above']]
      expect(outcomes).toContainEqual(await getUserRoles(userId))
    })
  })
})

describe('a role that is deleted while it is given', () => {
  /** One of them changes one thing after another. */
  const twoSuperadmins = async () =>
    [
      await auth.signedInUser({ role: 'superadmin' }),
      await auth.signedInUser({ role: 'superadmin' }),
    ] as const

  it('is gone, or an account has it: never both', async () => {
    const [root, other] = await twoSuperadmins()
    const given = await Promise.all(Array.from({ length: 12 }, () => auth.createUser()))
    await eachRound(async (round) => {
      const { name: role, roleId } = await createRole({ name: `brief-${round}`, displayName: 'X' })
      const give = given.map(({ userId }, index) =>
        auth.call('updateUserRole', { role }, root.key, { params: { userId }, ...at(index) }),
      )
      const remove = [0, 1, 2, 3].map((index) =>
        auth.call('deleteAdminRole', undefined, other.key, { params: { roleId }, ...at(index) }),
      )
      const [givers, removers] = await Promise.all([Promise.all(give), Promise.all(remove)])
      const gave = givers.map(({ status }) => status)
      const removed = removers.map(({ status }) => status)
      const isGone = removed.includes(204)
      expect(new Set(gave)).toEqual(new Set([isGone ? 404 : 200]))
      expect(removed.filter((status) => status === 204)).toHaveLength(isGone ? 1 : 0)
      expect(new Set(removed)).toEqual(new Set(isGone ? [204, 404] : [409]))
      for (const { userId } of given) expect(await getUserRole(userId)).not.toBeNull()
    })
  })

  it('is gone, or an account has it beside another one: never both', async () => {
    const [root, other] = await twoSuperadmins()
    const given = await Promise.all(times(12, () => auth.createUser()))
    await eachRound(async (round) => {
      const { name: role, roleId } = await createRole({ name: `spare-${round}`, displayName: 'X' })
      const [removed, ...givers] = await Promise.all([
        auth.call('deleteAdminRole', undefined, other.key, { params: { roleId } }),
        ...given.map(({ userId }, index) =>
          auth.call('addUserRole', { role }, root.key, { params: { userId }, ...at(index) }),
        ),
      ])
      const isGone = removed.status === 204
      expect(new Set(givers.map(({ status }) => status))).toEqual(new Set([isGone ? 404 : 200]))
      for (const { userId } of given) {
        expect(await getUserRoles(userId)).toEqual(isGone ? ['user'] : [role, 'user'])
        await auth.auth.db.update(users).set({ role: 'user' }).where(eq(users.userId, userId))
      }
    })
  })
})
