import type { Tx } from '@svc/core'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

interface Ending {
  userIds: string[]
  /** The key that stays. */
  spare: string | null
  reason: string
  now: Date
}

/**
 * active → revoked, and pending → deleted, for every key of these accounts but one. Returns those
 * that were active.
 */
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

/** pending → deleted: the sign-in that these keys wait for can't be finished any more. */
export async function buryPending(
  tx: Tx,
  { keyIds, reason, now }: { keyIds: readonly string[]; reason: string; now: Date },
) {
  await tx
    .update(deviceKeys)
    .set({ state: 'deleted', revokedAt: now, revokedReason: reason })
    .where(and(inArray(deviceKeys.keyId, [...keyIds]), eq(deviceKeys.state, 'pending')))
}

/**
 * Leaves nothing of an account's keys but their ids. A key id is never used twice: a second key
 * with it would be taken for the old device.
 */
export async function buryKeys(tx: Tx, userId: string) {
  await tx
    .update(deviceKeys)
    .set({
      state: 'deleted',
      kind: 'device',
      permissions: null,
      userId: null,
      publicKey: '',
      fingerprint: '',
      deviceName: null,
      platform: null,
      registeredIp: null,
      registeredUserAgent: null,
      signedInAt: null,
      signedInBy: null,
      unusedSeconds: null,
      lastUsedAt: null,
      lastAddress: null,
      concurrentUseAt: null,
      secondFactorProvedAt: null,
      madeByKeyId: null,
      actorId: null,
      actorKeyId: null,
      knownId: null,
      successorKeyId: null,
    })
    .where(eq(deviceKeys.userId, userId))
}
