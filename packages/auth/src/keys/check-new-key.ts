import { readPublicKey } from '../crypto/spki.ts'
import type { NewDeviceKey } from './contract.ts'
import { displayText } from './display-text.ts'
import type { CheckedKey } from './register-key.ts'

/**
 * Checks the material of a new key: done before anything that costs more, and before anything is written. From here on
 * its name is text that a column and a queue can hold: with any other, its sign-in would be told to nobody.
 */
export function checkNewKey(key: NewDeviceKey): CheckedKey {
  const { keyId, deviceName, platform } = key
  const name = displayText(deviceName, 64) ?? undefined
  return { ...readPublicKey(key), keyId, deviceName: name, platform }
}
