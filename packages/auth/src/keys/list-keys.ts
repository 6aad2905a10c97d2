import type { Needs } from '../auth.ts'
import type { KeyListItem } from './contract.ts'
import { fingerprintPrefix } from './fingerprint-prefix.ts'
import { type KeyRow, listOf } from './store.ts'

export async function listKeys(
  { db, clock }: Needs<'db' | 'clock'>,
  { userId, includeRevoked = false }: { userId: string; includeRevoked?: boolean | undefined },
) {
  const now = clock.now()
  const rows = await listOf(db, userId, { includeRevoked })
  return { keys: rows.map((row) => item(row, now)) }
}

function item(key: KeyRow, now: Date): KeyListItem {
  return {
    keyId: key.keyId,
    ...(key.deviceName && { deviceName: key.deviceName }),
    ...(key.platform && { platform: key.platform }),
    algorithm: key.algorithm,
    fingerprintPrefix: fingerprintPrefix(key.fingerprint),
    createdAtMillis: key.createdAt.getTime(),
    ...(key.lastUsedAt && { lastUsedAtMillis: key.lastUsedAt.getTime() }),
    expiresAtMillis: key.expiresAt.getTime(),
    isExpired: key.expiresAt <= now,
    isActive: key.state === 'active',
    ...(key.revokedAt && { revokedAtMillis: key.revokedAt.getTime() }),
    ...(key.registeredIp && { registeredIp: key.registeredIp }),
    ...(key.registeredUserAgent && { registeredUserAgent: key.registeredUserAgent }),
    ...(key.binding && { binding: key.binding }),
    ...(key.concurrentUseAt && { concurrentUseAtMillis: key.concurrentUseAt.getTime() }),
  }
}
