import { ServiceUnavailableError } from '@svc/core'
import { implement } from '../implement.ts'
import { deviceAuthContract } from './contract.ts'

function soon(): never {
  throw new ServiceUnavailableError()
}

export const deviceAuthRoutes = implement(deviceAuthContract, {
  startDeviceAuth: soon,
  pollDeviceAuth: soon,
  getDeviceAuthInfo: soon,
  approveDeviceAuth: soon,
  denyDeviceAuth: soon,
})
