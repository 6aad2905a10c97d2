import type { NewDeviceKey } from '../capability/fields.ts'
import { hashToken, newToken, newUserCode } from '../crypto/crypto.ts'
import { checkNewKey } from '../keys/keys.ts'
import type { DeviceNeeds } from './device-held.ts'
import { openRequest } from './store.ts'

/**
 * The response is the same whether or not the key is registered already: only an approved poll
 * learns that.
 */
export async function startDeviceAuth(
  { db, clock, deviceAuth }: DeviceNeeds<'db' | 'clock' | 'deviceAuth'>,
  body: NewDeviceKey,
) {
  const key = checkNewKey(body)
  const deviceCode = newToken()
  const requestedAt = clock.now()
  const request = {
    ...key,
    codeHash: hashToken(deviceCode),
    deviceName: key.deviceName ?? null,
    requestedAt,
    expiresAt: new Date(requestedAt.getTime() + deviceAuth.ttlMs),
  }
  let userCode = newUserCode()
  while (!(await openRequest(db, { ...request, userCode }))) userCode = newUserCode()
  return {
    deviceCode,
    userCode,
    expiresAtMillis: request.expiresAt.getTime(),
    intervalMillis: deviceAuth.intervalMs,
  }
}
