import type { Tx } from '@svc/core'
import { and, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/** active → revoked, and pending → deleted, for every key of the account but one. Answers those that were active. */
export async function revokeEveryKey(
  tx: Tx,
  {
    userId,
    spare,
    reason,
    now,
  }: { userId: string; spare: string | null; reason: string; now: Date },
) {
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
        eq(deviceKeys.userId, userId),
        ne(deviceKeys.keyId, spare ?? ''),
        inArray(deviceKeys.state, ['active', 'pending']),
      ),
    )
    .returning({ keyId: deviceKeys.keyId, state: deviceKeys.state })
  return gone.filter(({ state }) => state === 'revoked').map(({ keyId }) => keyId)
}

/** The same for every key of these accounts. Answers how many devices and programs signed until then. */
export async function revokeKeysOf(
  tx: Tx,
  { userIds, reason, now }: { userIds: string[]; reason: string; now: Date },
) {
  const gone = await tx
    .update(deviceKeys)
    .set({
      state: sql`case ${deviceKeys.state} when 'pending' then 'deleted' else 'revoked' end`,
      revokedAt: now,
      revokedReason: reason,
      secondFactorProvedAt: null,
      knownId: null,
    })
    .where(
      and(inArray(deviceKeys.userId, userIds), inArray(deviceKeys.state, ['active', 'pending'])),
    )
    .returning({ kind: deviceKeys.kind, state: deviceKeys.state })
  // Of browsers that had signed out, too.
  await tx
    .update(deviceKeys)
    .set({ knownId: null })
    .where(and(inArray(deviceKeys.userId, userIds), isNotNull(deviceKeys.knownId)))
  const signed = gone.filter(({ state }) => state === 'revoked')
  const devices = signed.filter(({ kind }) => kind === 'device').length
  return { devices, programs: signed.length - devices }
}
