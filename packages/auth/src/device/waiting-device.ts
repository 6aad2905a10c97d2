import { fingerprintPrefix } from '../keys/fingerprint-prefix.ts'
import type { DeviceRequest } from './store.ts'

/** By what a person recognises the device that waits. */
export function shownOf({ deviceName, platform, fingerprint }: DeviceRequest) {
  return {
    ...(deviceName !== null && { deviceName }),
    ...(platform !== null && { platform }),
    fingerprintPrefix: fingerprintPrefix(fingerprint),
  }
}

/** What the approver is shown. */
export function waitingDevice(request: DeviceRequest) {
  return {
    ...shownOf(request),
    requestedAtMillis: request.requestedAt.getTime(),
    expiresAtMillis: request.expiresAt.getTime(),
  }
}
