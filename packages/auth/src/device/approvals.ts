import type { Db, Tx } from '@svc/core'
import { and, eq, gt, inArray, lte } from 'drizzle-orm'
import type { Made, Owner, Succession } from '../capability/capability.ts'
import { namedItem } from '../keys/keys.ts'
import { deviceDecidedEvent } from './device-held.ts'
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

/** Passes what a key has approved to its successor. */
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

/**
 * The same for every waiting device, even if no user has looked at it. Returns how many there were.
 */
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

// A device that comes back late learns that the time was up, instead of that the code is unknown.
const keptMillis = 24 * 60 * 60_000

/**
 * Deletes the requests that expired a day ago: no device waits for them, and their codes open
 * nothing.
 */
export async function forgetRequests(db: Db, now: Date) {
  const before = new Date(now.getTime() - keptMillis)
  await db.delete(deviceRequests).where(lte(deviceRequests.expiresAt, before))
}

/** For an account that is deleted: the requests contain the names of its devices. */
export async function forgetRequestsOf(tx: Tx, userId: string) {
  await tx.delete(deviceRequests).where(eq(deviceRequests.claimedBy, userId))
}
