import type { CheckedKey } from '../capability/ways.ts'
import type { KeyRow } from './store.ts'

/** What comes in the place of another key keeps the name and the platform that it does not bring. */
export function keepLabel(
  key: CheckedKey,
  { deviceName, platform }: Pick<KeyRow, 'deviceName' | 'platform'>,
): CheckedKey {
  return {
    ...key,
    deviceName: key.deviceName ?? deviceName ?? undefined,
    platform: key.platform ?? platform ?? undefined,
  }
}
