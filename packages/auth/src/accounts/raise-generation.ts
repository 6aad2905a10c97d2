import type { Tx } from '@svc/core'
import { eq, sql } from 'drizzle-orm'
import type { LockedAccount } from './lock-account.ts'
import { users } from './schema.ts'

/** Everything that was checked against the generation before this one is void from the commit on. */
export async function raiseGeneration(tx: Tx, { userId }: LockedAccount) {
  await tx
    .update(users)
    .set({ generation: sql`${users.generation} + 1` })
    .where(eq(users.userId, userId))
}
