/** Why this device cannot make, keep or read its key. */
export class DeviceKeyError extends Error {
  override readonly name = 'DeviceKeyError'
}
