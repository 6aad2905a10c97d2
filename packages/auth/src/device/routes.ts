import type { RawContext } from '@svc/core'
import { implement } from '../running/implement.ts'
import { approveDeviceAuth } from './approve-device-auth.ts'
import { deviceAuthContract } from './contract.ts'
import { denyDeviceAuth } from './deny-device-auth.ts'
import { getDeviceAuthInfo } from './get-device-auth-info.ts'
import { pollDeviceAuth } from './poll-device-auth.ts'
import { startDeviceAuth } from './start-device-auth.ts'

export const deviceAuthRoutes = implement(deviceAuthContract, {
  startDeviceAuth: ({ auth, body }) => startDeviceAuth(auth, body),
  pollDeviceAuth: ({ auth, body, origin, c }) => {
    const { deviceCode, waitMillis = 0 } = body
    // A server whose answers may not take as long waits for less.
    const mostMillis = c.raw.server.handlerLimitMillis / 2
    const wait = { waitMillis: Math.min(waitMillis, mostMillis), gone: whenGone(c.raw) }
    return pollDeviceAuth(auth, { deviceCode, origin, ...wait })
  },
  getDeviceAuthInfo: ({ auth, caller, body, origin }) =>
    getDeviceAuthInfo(auth, { caller, origin, ...body }),
  approveDeviceAuth: ({ auth, caller, body, origin }) =>
    approveDeviceAuth(auth, { caller, origin, ...body }),
  denyDeviceAuth: async ({ auth, caller, body, origin, c }) => {
    await denyDeviceAuth(auth, { caller, origin, ...body })
    return c.noContent()
  },
})

/** Aborts when the client closes its connection before it has its answer. */
function whenGone({ outgoing }: RawContext) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return gone.signal
}
