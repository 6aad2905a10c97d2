import type { Db } from '@svc/core'
import { eq } from 'drizzle-orm'
import type { Identifier } from './identifier.ts'
import { users } from './schema.ts'

/** What signing in with a password or a code begins with: who it would be, and as of which generation. */
export async function findAccount(db: Db, { type, value }: Identifier) {
  const [account] = await db
    .select({
      userId: users.userId,
      generation: users.generation,
      passwordHash: users.passwordHash,
      status: users.status,
    })
    .from(users)
    .where(eq(users[type], value))
  return account ?? null
}

/** The account that a credential belongs to, and as of which generation. Null for one that is gone. */
export async function findGeneration(db: Db, userId: string) {
  const [account] = await db
    .select({ userId: users.userId, generation: users.generation })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}

/** What a signed-in account has to prove itself with once more. */
export async function findCredentials(db: Db, userId: string) {
  const [account] = await db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}

/** What a new password must not be. Null for an account that is gone. */
export async function findName(db: Db, userId: string) {
  const [account] = await db
    .select({ userId: users.userId, email: users.email, username: users.username })
    .from(users)
    .where(eq(users.userId, userId))
  return account ?? null
}
