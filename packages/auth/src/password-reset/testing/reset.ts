import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { mailedLinks } from '../../links/schema.ts'
import { stepsOf } from '../../links/testing/links.ts'
import type { TestAnswer, TestAuth, TestKey } from '../../testing.ts'

export const refused = (status: number, code: string) => ({ status, body: { error: { code } } })
export const invalidLink = refused(401, 'PasswordResetLinkError')
export const invalidSession = refused(401, 'PasswordResetSessionError')

/** A refusal without what no two answers have in common. */
export const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

/** The steps of a reset, and what they leave of account and links. */
export function resetOf(auth: TestAuth) {
  const { db } = auth.auth
  const linksOf = (email: string) =>
    db.select().from(mailedLinks).where(eq(mailedLinks.subject, email))
  const stateOf = async (email: string) => (await linksOf(email)).map(({ state }) => state)

  async function rowOf(email: string) {
    const [row] = await db.select().from(users).where(eq(users.email, email))
    return row
  }

  const change = (userId: string, changes: Partial<typeof users.$inferInsert>) =>
    db.update(users).set(changes).where(eq(users.userId, userId))

  async function userWith(changes: Partial<typeof users.$inferInsert>) {
    const user = await auth.createUser()
    await change(user.userId, changes)
    return user
  }

  const sessionOf = (key: TestKey) => auth.call('getAuthSession', undefined, key)

  return { ...stepsOf(auth, 'reset'), linksOf, stateOf, rowOf, change, userWith, sessionOf }
}
