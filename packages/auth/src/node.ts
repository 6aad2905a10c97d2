export type { DeviceKey, KeyRegistration } from './device-key/device-key.ts'
export { DeviceKeyError } from './device-key/device-key.ts'
export {
  createDeviceKey,
  deleteDeviceKey,
  openDeviceKey,
} from './device-key-file/device-key-file.ts'
