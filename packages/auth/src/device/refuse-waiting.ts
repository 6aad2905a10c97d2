import type { Tx } from '@svc/core'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { deviceRequests } from './schema.ts'

/** pending or approved → refused, for every device that waits for the account: none of them signs in any more. */
export async function refuseWaiting(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  await tx
    .update(deviceRequests)
    .set({ state: 'refused', decidedAt: now })
    .where(
      and(
        eq(deviceRequests.claimedBy, userId),
        inArray(deviceRequests.state, ['pending', 'approved']),
        gt(deviceRequests.expiresAt, now),
      ),
    )
}
