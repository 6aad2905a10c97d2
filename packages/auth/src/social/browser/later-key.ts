import { ValidationError } from '@svc/core'
import type { NewDeviceKey } from '../../capability/key-fields.ts'
import { checkNewKey } from '../../keys/check-new-key.ts'
import type { Departure } from './operations.ts'

type LaterKey = Pick<
  Departure,
  'publicKey' | 'keyId' | 'fingerprint' | 'algorithm' | 'deviceName' | 'platform'
>

/** A key that may be given now or later: all of it, which is checked, or null for nothing of it. */
export function readLaterKey(given: LaterKey): NewDeviceKey | null {
  const { publicKey, keyId, fingerprint, algorithm, deviceName, platform } = given
  const material = [publicKey, keyId, fingerprint, algorithm]
  if (material.every((part) => part === undefined)) return null
  if (!publicKey || !keyId || !fingerprint || !algorithm) throw incomplete()
  const display = { ...(deviceName && { deviceName }), ...(platform && { platform }) }
  const key = { publicKey, keyId, fingerprint, algorithm, ...display }
  checkNewKey(key)
  return key
}

function incomplete() {
  const message = 'Give publicKey, keyId, fingerprint and algorithm, or none of them.'
  return new ValidationError({ fields: [{ path: 'body.publicKey', message }] })
}
