import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { attempts } from '../limits/schema.ts'
import { createRole } from '../roles/roles.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestAnswer } from '../testing.ts'
import { openLine } from '../trials/races/line.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(auth.stop)
const { db } = auth.auth
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)
const suspend = does('suspendUser')
const reactivate = does('reactivateUser')

describe('suspendUser', () => {
  it('signs the account out, and the trail has who did it, and why', async () => {
    const user = await auth.signedInUser()
    expect(await suspend(user.userId, { reason: 'Charge\u202eback\n' })).toMatchObject({
      status: 204,
    })
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({ status: 401 })
    const [line] = await trailOf(user.userId)
    expect(line).toMatchObject({
      act: 'account.suspended',
      actor: admin.userId,
      keyId: admin.key.keyId,
      details: { reason: 'Charge back' },
    })
    expect(await reactivate(user.userId)).toMatchObject({ status: 204 })
    expect(await read(user.userId)).toMatchObject({ body: { status: 'active', devices: [] } })
  })

  it('refuses an account that is not active, or unknown', async () => {
    const { userId } = await auth.createUser()
    expect(await reactivate(userId)).toMatchObject(refused(409, 'ConflictError'))
    await suspend(userId)
    expect(await suspend(userId)).toMatchObject(refused(409, 'ConflictError'))
    for (const unknown of [randomUUID(), 'nobody']) {
      expect(await suspend(unknown)).toMatchObject(refused(404, 'UserNotFoundError'))
    }
  })

  it('asks for a fresh proof', async () => {
    const { userId } = await auth.createUser()
    const old = await auth.signedInUser({ role: 'admin' })
    auth.clock.set(new Date(auth.clock.now().getTime() + 2 * 3_600_000))
    expect(await suspend(userId, {}, old)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    await auth.proveRecent(admin)
    await auth.proveRecent(root)
  })
})

describe('an operator does not act upwards', () => {
  it('nor on their equals, or on themselves; superadmins act on all others', async () => {
    const other = await auth.signedInUser({ role: 'admin' })
    for (const { userId } of [root, other, admin]) {
      expect(await suspend(userId)).toMatchObject(refused(403, 'ForbiddenError'))
      expect(await auth.call('getAuthSession', undefined, other.key)).toMatchObject({ status: 200 })
    }
    expect(await suspend(other.userId, {}, root)).toMatchObject({ status: 204 })
    expect(await reactivate(other.userId)).toMatchObject(refused(403, 'ForbiddenError'))
    expect(await suspend(root.userId, {}, root)).toMatchObject(refused(403, 'ForbiddenError'))
    const second = await auth.signedInUser({ role: 'superadmin' })
    expect(await suspend(second.userId, {}, root)).toMatchObject({ status: 204 })
  })

  it('also if the role that gives the permission has a higher priority', async () => {
    await createRole({
      name: 'helper',
      displayName: 'Helper',
      priority: 5,
      permissions: ['user:read', 'user:write'],
    })
    const helper = await auth.signedInUser({ role: 'helper' })
    const { userId } = await auth.createUser()
    expect(await suspend(userId, {}, helper)).toMatchObject(refused(403, 'ForbiddenError'))
  })

  it('one of two who suspend each other comes second, and may no longer', async () => {
    for (let round = 0; round < 5; round++) {
      await db.delete(attempts)
      const one = await auth.signedInUser({ role: 'superadmin' })
      const other = await auth.signedInUser({ role: 'superadmin' })
      const answers = await Promise.all([
        suspend(one.userId, {}, other),
        suspend(other.userId, {}, one),
      ])
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 204)).toHaveLength(1)
      expect(statuses.filter((status) => status === 401 || status === 403)).toHaveLength(1)
    }
  })
})

describe('an act that waited for the account', () => {
  it('is refused where the key of the operator was revoked meanwhile', async () => {
    const both = [await auth.createUser(), await auth.createUser()]
    const [user, operator] = both.toSorted((one, other) => (one.userId < other.userId ? -1 : 1))
    if (!user || !operator) throw new Error('Two accounts were made.')
    // Of the two accounts, that of the operator is held last: so they can sign out before.
    await set(operator.userId, { role: 'admin' })
    const key = await auth.signIn(operator)
    const acts = ['suspendUser', 'requireNewPassword', 'closeUser'] as const
    const line = await openLine(auth.server)
    const asked: Promise<TestAnswer>[] = []
    await line.holding([user.userId], async ({ whileFewerWait }) => {
      asked.push(...acts.map((act) => does(act)(user.userId, {}, { key })))
      await whileFewerWait(acts.length, { tries: 800 })
      await done(auth.call('logout', undefined, key))
    })
    await line.close()
    for (const answer of await Promise.all(asked)) {
      expect(answer).toMatchObject(refused(401, 'UnauthorizedError'))
    }
    expect(await read(user.userId)).toMatchObject({
      body: { status: 'active', mustChangePassword: false },
    })
    expect(await trailOf(user.userId)).toEqual([])
  })
})
