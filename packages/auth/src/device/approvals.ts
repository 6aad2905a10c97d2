import type { Db, Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import type { Succession } from '../keys/made-keys.ts'
import { deviceRequests } from './schema.ts'

interface Owner {
  userId: string
  generation: number
  now: Date
}

/** The approvals of an account that no device has collected. Revoking a single key does not end them. */
export function approvalsOf(db: Db, { userId, generation, now }: Owner) {
  const { keyId, deviceName, platform, approvedByKeyId, expiresAt } = deviceRequests
  return db
    .select({ keyId, deviceName, platform, approvedByKeyId, expiresAt })
    .from(deviceRequests)
    .where(
      and(
        eq(deviceRequests.claimedBy, userId),
        eq(deviceRequests.state, 'approved'),
        eq(deviceRequests.generation, generation),
        gt(expiresAt, now),
      ),
    )
    .orderBy(deviceRequests.decidedAt, keyId)
}

/** Moves what a key has approved to its successor. */
export async function handOnApprovals(tx: Tx, { userId, from, to }: Succession) {
  await tx
    .update(deviceRequests)
    .set({ approvedByKeyId: to })
    .where(
      and(
        eq(deviceRequests.claimedBy, userId),
        eq(deviceRequests.state, 'approved'),
        eq(deviceRequests.approvedByKeyId, from),
      ),
    )
}
