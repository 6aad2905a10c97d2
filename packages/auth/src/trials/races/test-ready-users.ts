import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { profiles, users } from '../../accounts/schema.ts'
import { deviceKeys } from '../../keys/schema.ts'
import { createTestKey, type TestAuth, type TestUser } from '../../testing.ts'

type UserRow = typeof users.$inferSelect
type KeyRow = typeof deviceKeys.$inferSelect

// Few enough that the four rounds of `npm test` make none in vain.
const atOnce = 8

type As = NonNullable<Parameters<TestAuth['createUser']>[0]>

interface Stock {
  readonly madeAt: number
  readonly users: TestUser[]
}

/**
 * Accounts that have signed in, for races in which nobody signs up: rows made many at a time, after those that the
 * doors have made of the first one. They are made anew when the clock has moved.
 */
export function readyUsers(auth: TestAuth) {
  const { clock } = auth
  const { db } = auth.auth
  const stocks = new Map<string, Stock>()
  let first: Promise<{ user: UserRow; key: KeyRow; password: string }> | undefined

  async function signUp() {
    const { userId, ...user } = await auth.createUser()
    const { keyId } = await auth.signIn(user)
    const [row] = await db.select().from(users).where(eq(users.userId, userId))
    const [key] = await db.select().from(deviceKeys).where(eq(deviceKeys.keyId, keyId))
    return { user: row as UserRow, key: key as KeyRow, password: user.password }
  }

  async function make(role: string, withKey: boolean): Promise<Stock> {
    const { user, key, password } = await (first ??= signUp())
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + key.expiresAt.getTime() - key.createdAt.getTime())
    const made = await Promise.all(Array.from({ length: atOnce }, () => newUser(password)))
    const times = { createdAt: now, emailVerifiedAt: now }
    const keyTimes = { createdAt: now, authenticatedAt: now, expiresAt }
    await db.transaction(async (tx) => {
      const ids = made.map(({ userId, publicId, email }) => ({ userId, publicId, email }))
      await tx.insert(users).values(ids.map((own) => ({ ...user, ...times, role, ...own })))
      await tx.insert(profiles).values(ids.map(({ userId }) => ({ userId })))
      if (!withKey) return
      const rows = made.map(({ userId, key: { keyId, registration } }) => {
        const { publicKey, fingerprint } = registration
        return { ...key, ...keyTimes, userId, keyId, publicKey, fingerprint }
      })
      await tx.insert(deviceKeys).values(rows)
    })
    return { madeAt: now.getTime(), users: made }
  }

  async function next(role: string, withKey: boolean) {
    const kind = `${role} ${withKey}`
    const stock = stocks.get(kind)
    const isFresh = stock?.madeAt === clock.now().getTime() && stock.users.length > 0
    const from = isFresh ? stock : await make(role, withKey)
    stocks.set(kind, from)
    return from.users.pop() as TestUser
  }

  /** As the kit's own; whoever wants another address or password than a test's is let in by the doors. */
  async function signedInUser(as: As = {}) {
    return hasOwn(as) ? auth.signedInUser(as) : next(as.role ?? 'user', true)
  }

  async function createUser(as: As = {}) {
    if (hasOwn(as)) return auth.createUser(as)
    const { key: _, ...user } = await next(as.role ?? 'user', false)
    return user
  }

  return { signedInUser, createUser }
}

const hasOwn = ({ email, password, otherRoles }: As) => Boolean(email ?? password ?? otherRoles)

async function newUser(password: string): Promise<TestUser> {
  const [userId, publicId] = [randomUUID(), randomUUID()]
  return {
    userId,
    publicId,
    email: `${randomUUID()}@example.com`,
    password,
    key: await createTestKey(),
  }
}
