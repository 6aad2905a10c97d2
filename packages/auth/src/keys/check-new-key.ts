import type { NewDeviceKey } from '../capability/key-fields.ts'
import type { CheckedKey } from '../capability/ways.ts'
import { readPublicKey } from '../crypto/spki.ts'
import { displayText } from '../display-text.ts'

/**
 * Checks the material of a new key, before anything that costs more and before anything is written. It also makes the
 * name a text that a column and a queue can hold: otherwise the owner would get no mail about the sign-in.
 */
export function checkNewKey(key: NewDeviceKey): CheckedKey {
  const { keyId, deviceName, platform } = key
  const name = displayText(deviceName, 64) ?? undefined
  return { ...readPublicKey(key), keyId, deviceName: name, platform }
}
