import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { deviceRequests } from './schema.ts'

/** For an account that goes. What its devices were called is in them. */
export async function forgetRequestsOf(tx: Tx, userId: string) {
  await tx.delete(deviceRequests).where(eq(deviceRequests.claimedBy, userId))
}
