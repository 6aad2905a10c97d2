import type { Tx } from '@svc/core'
import { and, eq, inArray } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/** pending → deleted: the sign-in that these keys wait for cannot be finished any more. */
export async function buryPending(
  tx: Tx,
  { keyIds, reason, now }: { keyIds: readonly string[]; reason: string; now: Date },
) {
  await tx
    .update(deviceKeys)
    .set({ state: 'deleted', revokedAt: now, revokedReason: reason })
    .where(and(inArray(deviceKeys.keyId, [...keyIds]), eq(deviceKeys.state, 'pending')))
}
