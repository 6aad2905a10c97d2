import type { Db, Tx } from '@svc/core'
import { eq, lte } from 'drizzle-orm'
import { deviceRequests } from './schema.ts'

// A device that comes back late learns that the time was up, and not that there is no such code.
const keptMillis = 24 * 60 * 60_000

/** Forgets the requests that expired a day ago: no device waits for them, and their codes open nothing. */
export async function forgetRequests(db: Db, now: Date) {
  const before = new Date(now.getTime() - keptMillis)
  await db.delete(deviceRequests).where(lte(deviceRequests.expiresAt, before))
}

/** For an account that is deleted: the requests contain the names of its devices. */
export async function forgetRequestsOf(tx: Tx, userId: string) {
  await tx.delete(deviceRequests).where(eq(deviceRequests.claimedBy, userId))
}
