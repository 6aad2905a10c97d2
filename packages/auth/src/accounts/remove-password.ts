import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Whoever knows it has no use for it any more. The owner signs in by a code or a mailed link, and sets another. */
export async function removePassword(tx: Tx, { userId }: LockedAccount) {
  await tx.update(users).set({ passwordHash: null }).where(eq(users.userId, userId))
}
