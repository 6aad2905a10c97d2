import type { Db } from '@svc/core'
import { and, eq, gt, isNotNull } from 'drizzle-orm'
import { invitations } from './schema.ts'

/** Voids the token of every waiting invitation. The invitations stay and can be sent again. Returns how many. */
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
