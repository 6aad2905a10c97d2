import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { LastSuperadminError } from '../../roles/errors.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { startTestAuth } from '../../testing.ts'

// Above the superadmin's, which only the code can declare.
const owner = { name: 'owner', displayName: 'Owner', priority: 500 }
const auth = await startTestAuth({ options: { roles: [owner] } })
afterAll(() => auth.stop())
const { db } = auth.auth

const countActive = () =>
  db.$count(users, and(eq(users.role, 'superadmin'), eq(users.status, 'active')))
const superadmins = (count: number) =>
  Promise.all(Array.from({ length: count }, () => auth.signedInUser({ role: 'superadmin' })))

describe('the last superadmin', () => {
  beforeEach(async () => {
    await db.update(users).set({ role: 'user' })
  })

  it('is not suspended, and stays signed in', async () => {
    const { userId, key } = await auth.signedInUser({ role: 'superadmin' })
    await expect(suspendUser(userId)).rejects.toThrow(LastSuperadminError)
    expect(await countActive()).toBe(1)
    expect(await auth.call('listRoles', undefined, key)).toMatchObject({ status: 200 })
  })

  it('is left when all are suspended at once', async () => {
    for (let round = 0; round < 10; round++) {
      await db.update(users).set({ role: 'user' })
      const four = await superadmins(4)
      await Promise.allSettled(four.map(({ userId }) => suspendUser(userId)))
      expect(await countActive()).toBe(1)
    }
  })

  it('is left when one is suspended while another is demoted', async () => {
    for (let round = 0; round < 10; round++) {
      await db.update(users).set({ role: 'user' })
      const [one, other] = await superadmins(2)
      const params = { userId: other?.userId ?? '' }
      await Promise.allSettled([
        suspendUser(one?.userId ?? ''),
        auth.call('updateUserRole', { role: 'user' }, one?.key, { params }),
      ])
      expect(await countActive()).toBe(1)
    }
  })
})
