import type { RawContext } from '@svc/core'
import { defineCapability } from '../capability/capability.ts'
import {
  approvalsOf,
  forgetRequests,
  forgetRequestsOf,
  handOnApprovals,
  refuseEveryWaiting,
  refuseWaiting,
} from './approvals.ts'
import { deviceAuthContract } from './contract.ts'
import { approveDeviceAuth, denyDeviceAuth, getDeviceAuthInfo } from './decide-device-auth.ts'
import {
  createDecisions,
  type DeviceAuthOptions,
  deviceActs,
  readDeviceAuth,
} from './device-held.ts'
import { pollDeviceAuth } from './poll-device-auth.ts'
import { deviceRequests } from './schema.ts'
import { startDeviceAuth } from './start-device-auth.ts'

export type { DeviceAuthOptions } from './device-held.ts'

/** Signing in on a device without a keyboard. */
export const deviceAuthCapability = (options?: DeviceAuthOptions) =>
  defineCapability(deviceAuthContract, {
    tables: { deviceRequests },
    audit: deviceActs,
    check: () => void readDeviceAuth(options),
    open: () => ({ deviceAuth: readDeviceAuth(options), decisions: createDecisions() }),
    stopWaiting: ({ decisions }) => decisions.close(),
    close: ({ decisions }) => decisions.close(),
    handlers: {
      startDeviceAuth: ({ auth, body }) => startDeviceAuth(auth, body),
      pollDeviceAuth: ({ auth, body, origin, c }) => {
        const { deviceCode, waitMillis = 0 } = body
        // A server with a shorter limit on handlers waits for less.
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
    },
    account: {
      forget: (tx, { userId }) => forgetRequestsOf(tx, userId),
      sweep: forgetRequests,
      refuseWaiting,
      endUnderWay: async (db, now) => ({ waitingDevices: await refuseEveryWaiting(db, now) }),
      made: { find: approvalsOf, handOn: handOnApprovals },
    },
  })

/** Aborts if the client closes its connection before it has its response. */
function whenGone({ outgoing }: RawContext) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return gone.signal
}
