import type { KeyListItem } from '../capability/key-fields.ts'
import { fingerprintPrefix } from './fingerprint-prefix.ts'
import type { KeyRow } from './store.ts'

/** A key as its owner sees it. */
export function keyItem(key: KeyRow, now: Date): KeyListItem {
  return {
    keyId: key.keyId,
    ...(key.kind === 'machine' && { kind: key.kind, permissions: key.permissions ?? [] }),
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
