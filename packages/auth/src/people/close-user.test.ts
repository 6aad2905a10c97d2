import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { exportUserData } from '../data-export/data-export.ts'
import { deletionOn, purgeAccount } from '../deletion/deletion.ts'
import { deletionOf } from '../deletion/testing/deletion.ts'
import { LastSuperadminError } from '../roles/errors.ts'
import { refused } from '../test-answers.ts'
import { startTestAuth } from '../testing.ts'
import * as people from './people.ts'
import { operatorsOf } from './testing/people.ts'

const auth = await startTestAuth({ options: { deletion: { graceDays: 3 } } })
afterAll(auth.stop)
const { root, admin, read, does, trailOf } = await operatorsOf(auth)
const { accountOf, cancel } = deletionOf(auth)
const close = does('closeUser')
const restore = does('restoreUser')
const graceMillis = 3 * 86_400_000

const purge = (userId: string) =>
  auth.server.within(() => purgeAccount(deletionOn(auth.auth.db), userId))

beforeEach(() => auth.proveRecent(admin))

describe('closeUser', () => {
  it('begins the deletion as its owner would, and the purge carries it out', async () => {
    const user = await auth.signedInUser()
    const ask = () => close(user.userId, { reason: 'She wrote a letter' })
    const purgeScheduledAt = new Date(auth.clock.now().getTime() + graceMillis).toISOString()
    await auth.sentBy(
      async () => expect(await ask()).toMatchObject({ status: 200, body: { purgeScheduledAt } }),
      user.email,
      'deletion-requested',
    )
    expect(await auth.call('getAuthSession', undefined, user.key)).toMatchObject({ status: 401 })
    expect(await read(user.userId)).toMatchObject({
      body: { status: 'pending_deletion', purgeAt: purgeScheduledAt, devices: [] },
    })
    const [line] = await trailOf(user.userId)
    expect(line).toMatchObject({
      act: 'deletion.requested',
      actor: admin.userId,
      keyId: admin.key.keyId,
      details: { purgeScheduledAt, reason: 'She wrote a letter' },
    })
    await purge(user.userId)
    expect(await accountOf(user.userId)).toMatchObject({ email: user.email })
    auth.clock.set(new Date(purgeScheduledAt))
    await purge(user.userId)
    expect(await accountOf(user.userId)).toMatchObject({ status: 'deleted', email: null })
  })

  it('is taken back by an operator, until its time has come; and by its owner', async () => {
    const user = await auth.signedInUser()
    await close(user.userId)
    expect(await restore(user.userId, { reason: 'A mistake' })).toMatchObject({ status: 204 })
    expect(await read(user.userId)).toMatchObject({ body: { status: 'active' } })
    const lines = await trailOf(user.userId)
    expect(lines.at(-1)).toMatchObject({
      act: 'deletion.cancelled',
      outcome: 'done',
      actor: admin.userId,
      keyId: admin.key.keyId,
      target: user.userId,
      details: { reason: 'A mistake' },
    })
    await auth.signIn(user)
    await close(user.userId)
    const { email, password } = user
    expect(await cancel({ email, password })).toMatchObject({ status: 204 })
    expect(await restore(user.userId)).toMatchObject(refused(409, 'ConflictError'))
  })

  it('closes an active account alone, and never that of the last superadmin', async () => {
    const { userId } = await auth.createUser()
    expect(await restore(userId)).toMatchObject(refused(409, 'ConflictError'))
    await people.closeUser(userId)
    expect(await close(userId)).toMatchObject(refused(409, 'ConflictError'))
    await people.restoreUser(userId)
    await does('suspendUser')(userId)
    // Its owner could come back from a deletion, and the suspension would be over.
    expect(await close(userId)).toMatchObject(refused(409, 'ConflictError'))
    await expect(people.closeUser(root.userId)).rejects.toThrow(LastSuperadminError)
    for (const above of [root, admin]) {
      expect(await close(above.userId)).toMatchObject(refused(403, 'ForbiddenError'))
    }
  })
})

describe('exportUser', () => {
  const take = does('exportUser')

  it('has what its owner would get, and is a line of the trail', async () => {
    const user = await auth.createUser()
    const answer = await take(user.userId, { reason: 'A letter' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain('account-data.json')
    const own = JSON.parse(JSON.stringify(await exportUserData(user.userId)))
    expect(answer.body).toEqual(own)
    expect(answer.body.account).toMatchObject({ email: user.email })
    const [line] = await trailOf(user.userId)
    expect(line).toMatchObject({
      act: 'data.exported',
      actor: admin.userId,
      details: { reason: 'A letter' },
    })
  })

  it('is of an account below alone', async () => {
    for (const { userId } of [root, admin]) {
      expect(await take(userId)).toMatchObject(refused(403, 'ForbiddenError'))
    }
  })
})
