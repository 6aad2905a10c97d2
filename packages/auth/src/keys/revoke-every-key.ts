import type { Tx } from '@svc/core'
import { and, inArray, ne, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface Ending {
  userIds: string[]
  /** The key that stays. */
  spare: string | null
  reason: string
  now: Date
}

/** active → revoked, and pending → deleted, for every key of these accounts but one. Answers those that were active. */
export async function revokeEveryKey(tx: Tx, { userIds, spare, reason, now }: Ending) {
  const gone = await tx
    .update(deviceKeys)
    .set({
      // The state on the right is the one before this statement.
      state: sql`case ${deviceKeys.state} when 'pending' then 'deleted' else 'revoked' end`,
      revokedAt: now,
      revokedReason: reason,
    })
    .where(
      and(
        inArray(deviceKeys.userId, userIds),
        ne(deviceKeys.keyId, spare ?? ''),
        inArray(deviceKeys.state, ['active', 'pending']),
      ),
    )
    .returning({ keyId: deviceKeys.keyId, kind: deviceKeys.kind, state: deviceKeys.state })
  return gone.filter(({ state }) => state === 'revoked')
}
