import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import type { TestAuth, TestUser } from '../../testing.ts'

/** What tests of deletion do with accounts. */
export function deletionOf(auth: Pick<TestAuth, 'auth' | 'call'>) {
  const { db } = auth.auth

  async function accountOf(userId: string) {
    const [account] = await db.select().from(users).where(eq(users.userId, userId))
    return account
  }

  return {
    request: ({ password, key }: TestUser, body: object = {}) =>
      auth.call('requestAccountDeletion', { password, ...body }, key),
    cancel: (body: object) => auth.call('cancelAccountDeletion', body),
    accountOf,
    statusOf: async (userId: string) => (await accountOf(userId))?.status,
    set: (userId: string, values: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(values).where(eq(users.userId, userId)),
    /** The acts of deletion in the trail that the account did, or that were done to it. */
    actsOf: async (userId: string) => {
      const rows = await db.select().from(auditEvents).orderBy(auditEvents.auditId)
      const own = rows.filter(({ actor, target }) => actor === userId || target === userId)
      return own.filter(({ act }) => act.startsWith('deletion.'))
    },
  }
}
