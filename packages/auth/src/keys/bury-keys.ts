import type { Tx } from '@svc/core'
import { eq } from 'drizzle-orm'
import { deviceKeys } from './schema.ts'

/**
 * Leaves nothing of the keys of an account but their ids. A key id belongs to one key for all time: whoever registered
 * one anew would be taken for a device that is gone.
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
      lastUsedAt: null,
      lastAddress: null,
      concurrentUseAt: null,
      secondFactorProvedAt: null,
      madeByKeyId: null,
      knownId: null,
      successorKeyId: null,
    })
    .where(eq(deviceKeys.userId, userId))
}
