import type { Db, Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

export async function isUsernameTaken(db: Db, username: string) {
  return (await db.$count(users, eq(users.username, username))) > 0
}

/** Fails as a unique violation when it is another's. */
export async function setUsername(tx: Tx, { userId }: LockedAccount, username: string | null) {
  await tx.update(users).set({ username }).where(eq(users.userId, userId))
}
