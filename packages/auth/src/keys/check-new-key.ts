import { readPublicKey } from '../crypto/spki.ts'
import type { NewDeviceKey } from './contract.ts'
import type { CheckedKey } from './register-key.ts'

/** Checks the material of a new key: done before anything that costs more, and before anything is written. */
export function checkNewKey(key: NewDeviceKey): CheckedKey {
  const { keyId, deviceName, platform } = key
  return { ...readPublicKey(key), keyId, deviceName, platform }
}
