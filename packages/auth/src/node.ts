export type { DeviceKey, KeyRegistration } from './device-key/device-key.ts'
export { DeviceKeyError } from './device-key/device-key-error.ts'
export { createDeviceKey, deleteDeviceKey, openDeviceKey } from './device-key/device-key-file.ts'
