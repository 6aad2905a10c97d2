import type { Db } from '@svc/core'
import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { invitations } from './schema.ts'

/** Takes the token of every invitation that waits. They stay, to be sent again. Answers how many there were. */
export async function voidEveryToken(db: Db, now: Date) {
  const { rowCount } = await db
    .update(invitations)
    .set({ tokenHash: null })
    .where(
      and(
        eq(invitations.state, 'pending'),
        gt(invitations.expiresAt, now),
        isNotNull(invitations.tokenHash),
      ),
    )
  return rowCount ?? 0
}
