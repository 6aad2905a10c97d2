import type { Db } from '@svc/core'
import { desc, eq } from 'drizzle-orm'
import { mostExported } from '../accounts/most-exported.ts'
import { deviceKeys } from './schema.ts'

// Columns are named one by one: a secret that the table gets later is not exported by itself.

/** Those that are signed out too, with the fingerprint of the key in the place of the key. */
export function exportKeys(db: Db, userId: string) {
  return db
    .select({
      keyId: deviceKeys.keyId,
      kind: deviceKeys.kind,
      permissions: deviceKeys.permissions,
      state: deviceKeys.state,
      algorithm: deviceKeys.algorithm,
      fingerprint: deviceKeys.fingerprint,
      deviceName: deviceKeys.deviceName,
      platform: deviceKeys.platform,
      registeredIp: deviceKeys.registeredIp,
      registeredUserAgent: deviceKeys.registeredUserAgent,
      createdAt: deviceKeys.createdAt,
      authenticatedAt: deviceKeys.authenticatedAt,
      madeByKeyId: deviceKeys.madeByKeyId,
      binding: deviceKeys.binding,
      expiresAt: deviceKeys.expiresAt,
      lastUsedAt: deviceKeys.lastUsedAt,
      lastAddress: deviceKeys.lastAddress,
      revokedAt: deviceKeys.revokedAt,
      revokedReason: deviceKeys.revokedReason,
      successorKeyId: deviceKeys.successorKeyId,
    })
    .from(deviceKeys)
    .where(eq(deviceKeys.userId, userId))
    .orderBy(desc(deviceKeys.createdAt), deviceKeys.keyId)
    .limit(mostExported)
}
