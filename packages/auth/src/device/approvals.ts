import type { Db, Tx } from '@svc/core'
import { and, eq, gt } from 'drizzle-orm'
import type { Made, Owner, Succession } from '../capability/account-parts.ts'
import { namedItem } from '../keys/named-item.ts'
import { deviceRequests } from './schema.ts'

/** The approvals of an account that no device has collected. Revoking a single key does not end them. */
export async function approvalsOf(db: Db, { userId, generation, now }: Owner): Promise<Made[]> {
  const { keyId, deviceName, platform, approvedByKeyId, expiresAt } = deviceRequests
  const approvals = await db
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
  return approvals.map(ofApproval)
}

type Approval = Pick<
  typeof deviceRequests.$inferSelect,
  'keyId' | 'deviceName' | 'platform' | 'approvedByKeyId' | 'expiresAt'
>

function ofApproval({ keyId: id, approvedByKeyId: maker, expiresAt, ...shown }: Approval): Made {
  const item = { kind: 'approval', id, ...namedItem(shown) } as const
  return { item: { ...item, expiresAtMillis: expiresAt.getTime() }, maker, isPending: false }
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
