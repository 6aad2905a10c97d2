import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { LastSuperadminError } from '../../roles/errors.ts'
import { suspendUser } from '../../suspension/suspension.ts'
import { startTestAuth, type TestUser } from '../../testing.ts'

// Above the superadmin's, which only the code can declare.
const owner = { name: 'owner', displayName: 'Owner', priority: 500 }
const auth = await startTestAuth({ options: { roles: [owner] } })
afterAll(() => auth.stop())
const { db } = auth.auth
const countHolding = async () => {
  const { rows } = await db.execute(sql`
    select from svc_auth.users u where u.status = 'active' and (u.role = 'superadmin' or exists (
      select from svc_auth.account_roles a where a.user_id = u.user_id and a.role = 'superadmin'))`)
  return rows.length
}
const superadmins = (count: number) =>
  Promise.all(Array.from({ length: count }, () => auth.signedInUser({ role: 'superadmin' })))

describe('the last superadmin', () => {
  beforeEach(async () => {
    await db.update(users).set({ role: 'user' })
  })

  it('is not a suspended one, or one of another role', async () => {
    const [one, other] = await superadmins(2)
    await suspendUser(one?.userId ?? '')
    await auth.createUser({ role: 'admin' })
    await expect(suspendUser(other?.userId ?? '')).rejects.toThrow(LastSuperadminError)
  })

  it('is left when all have other roles too, and all of these are taken and given at once', async () => {
    for (let round = 0; round < 10; round++) {
      await db.update(users).set({ role: 'user' })
      const four = await Promise.all(
        [0, 1, 2, 3].map((index) =>
          auth.signedInUser({ role: 'owner', otherRoles: index < 2 ? ['superadmin'] : [] }),
        ),
      )
      const [one, other] = four as [TestUser, TestUser]
      const take = (by: TestUser, { userId }: TestUser) =>
        auth.call('removeUserRole', undefined, by.key, { params: { userId, role: 'superadmin' } })
      const set = (by: TestUser, { userId }: TestUser) =>
        auth.call('updateUserRole', { role: 'owner' }, by.key, { params: { userId } })
      const add = (by: TestUser, { userId }: TestUser) =>
        auth.call('addUserRole', { role: 'user' }, by.key, { params: { userId } })
      await Promise.allSettled([
        ...[take, set, add].flatMap((act) => [act(one, other), act(other, one), act(one, one)]),
        suspendUser(one.userId),
        suspendUser(other.userId),
      ])
      expect(await countHolding()).toBe(1)
    }
  })
})
