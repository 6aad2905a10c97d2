import type { Db, Tx } from '@svc/core'
import { and, eq, gt, inArray } from 'drizzle-orm'
import { deviceDecidedEvent } from './device-decided.ts'
import { deviceRequests } from './schema.ts'

/** pending or approved → refused, for every device that waits for the account: none of them signs in any more. */
export async function refuseWaiting(tx: Tx, { userId, now }: { userId: string; now: Date }) {
  const refused = await tx
    .update(deviceRequests)
    .set({ state: 'refused', decidedAt: now })
    .where(
      and(
        eq(deviceRequests.claimedBy, userId),
        inArray(deviceRequests.state, ['pending', 'approved']),
        gt(deviceRequests.expiresAt, now),
      ),
    )
    .returning({ codeHash: deviceRequests.codeHash })
  if (refused.length === 0) return
  await deviceDecidedEvent.emit({ codeHashes: refused.map(({ codeHash }) => codeHash) })
}

/** The same for every waiting device, also if no account has looked at it. Returns how many there were. */
export async function refuseEveryWaiting(db: Db, now: Date) {
  const { rowCount } = await db
    .update(deviceRequests)
    .set({ state: 'refused', decidedAt: now })
    .where(
      and(
        inArray(deviceRequests.state, ['pending', 'approved']),
        gt(deviceRequests.expiresAt, now),
      ),
    )
  return rowCount ?? 0
}
