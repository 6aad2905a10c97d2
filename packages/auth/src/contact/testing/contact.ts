import { randomInt, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { users } from '../../accounts/schema.ts'
import { createTestKey, type TestAuth, type TestUser } from '../../testing.ts'

export const refused = (status: number, code: string) => ({ status, body: { error: { code } } })

/** A change of address or number, as its owner makes it, and the reader of the mailbox before. */
export function stepsOf(auth: TestAuth) {
  const { db } = auth.auth
  const newEmail = () => `${randomUUID()}@example.org`
  const newPhone = () => `+1202${randomInt(1_000_000, 9_999_999)}`

  async function changeEmail(user: TestUser, email: string, more: object = {}) {
    const verificationToken = await auth.verificationToken(email, 'email_change')
    const body = { email, verificationToken, currentPassword: user.password, ...more }
    return auth.call('changeEmail', body, user.key)
  }

  async function changePhone(user: TestUser, phone: string, more: object = {}) {
    const verificationToken = await auth.verificationToken(phone, 'phone_change')
    const body = { phone, verificationToken, currentPassword: user.password, ...more }
    return auth.call('changePhone', body, user.key)
  }

  /** Changes it, and answers the token of the link that takes that back. */
  function changed(user: TestUser, email: string, from = user.email) {
    return auth.linkSentBy(() => changeEmail(user, email), from, 'contact-changed')
  }

  const confirm = (token: string) => auth.call('confirmContactUndoLink', { token })
  const undo = (token: string) => auth.call('consumeContactUndoLink', { token })

  async function rowOf(userId: string) {
    const [row] = await db.select().from(users).where(eq(users.userId, userId))
    return row as typeof users.$inferSelect
  }

  async function login(given: object) {
    const { registration } = await createTestKey()
    return auth.call('login', { ...given, ...registration })
  }

  async function loginByCode(target: string) {
    const verificationToken = await auth.verificationToken(target)
    const identifier = target.includes('@') ? { email: target } : { phone: target }
    return login({ ...identifier, verificationToken })
  }

  const sessionOf = ({ key }: TestUser) => auth.call('getAuthSession', undefined, key)

  return {
    newEmail,
    newPhone,
    changeEmail,
    changePhone,
    changed,
    confirm,
    undo,
    rowOf,
    login,
    loginByCode,
    sessionOf,
  }
}
