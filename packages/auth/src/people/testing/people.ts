import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { auditEvents } from '../../audit/schema.ts'
import type { AuthContract } from '../../auth-contract.ts'
import { passkeysOf } from '../../passkeys/testing/test-passkeys.ts'
import { done } from '../../test-answers.ts'
import type { TestAuth, TestUser } from '../../testing.ts'

const ancient = new Date(0)

/** A user whose address was proved long ago: of a removal, only such a one is told. */
export async function provedLongAgo<User extends Pick<TestUser, 'userId'>>(
  { auth: { db } }: Pick<TestAuth, 'auth'>,
  user: User,
) {
  await db.update(users).set({ emailVerifiedAt: ancient }).where(eq(users.userId, user.userId))
  return user
}

/** A passkey that an operator wants to remove, and the token by which its owner keeps it. */
export async function waitingRemoval(auth: TestAuth, operator: Pick<TestUser, 'key' | 'password'>) {
  const user = await provedLongAgo(auth, await auth.signedInUser())
  const { passkeyId } = await passkeysOf(auth).enrol(user)
  await auth.proveRecent(operator)
  const params = { userId: user.userId }
  const ask = () => done(auth.call('removeUserFactor', { passkeyId }, operator.key, { params }))
  const token = await auth.linkSentBy(ask, user.email, 'factor-removal-asked')
  return { user, passkeyId, token }
}

/** What operators do to accounts, and what the tests of it look at. */
export async function operatorsOf(auth: TestAuth) {
  const { db } = auth.auth
  const root = await auth.signedInUser({ role: 'superadmin' })
  const admin = await auth.signedInUser({ role: 'admin' })

  const list = (query: Record<string, unknown> = {}, by = admin) =>
    auth.call('listUsers', undefined, by.key, { query })
  const read = (userId: string, by = admin) =>
    auth.call('readUser', undefined, by.key, { params: { userId } })

  /** An operation on one account. */
  const does =
    (operation: keyof AuthContract) =>
    (userId: string, body: object = {}, by: Pick<TestUser, 'key'> = admin) =>
      auth.call(operation, body, by.key, { params: { userId } })

  const set = (userId: string, changes: Partial<typeof users.$inferInsert>) =>
    db.update(users).set(changes).where(eq(users.userId, userId))

  /** The lines of the trail about an account, or about what it names. */
  const trailOf = (target: string) =>
    db.select().from(auditEvents).where(eq(auditEvents.target, target)).orderBy(auditEvents.auditId)

  return { root, admin, list, read, does, set, trailOf }
}
