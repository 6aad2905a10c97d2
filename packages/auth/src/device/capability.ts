import type { RawContext } from '@svc/core'
import { defineCapability } from '../capability/capability.ts'
import { approvalsOf, handOnApprovals } from './approvals.ts'
import { approveDeviceAuth } from './approve-device-auth.ts'
import { deviceAuthContract } from './contract.ts'
import { createDecisions } from './decisions.ts'
import { denyDeviceAuth } from './deny-device-auth.ts'
import { type DeviceAuthOptions, readDeviceAuth } from './device-auth-options.ts'
import { deviceActs } from './device-held.ts'
import { forgetRequests, forgetRequestsOf } from './forget-requests.ts'
import { getDeviceAuthInfo } from './get-device-auth-info.ts'
import { pollDeviceAuth } from './poll-device-auth.ts'
import { refuseEveryWaiting, refuseWaiting } from './refuse-waiting.ts'
import { deviceRequests } from './schema.ts'
import { startDeviceAuth } from './start-device-auth.ts'

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
    },
    account: {
      forget: (tx, { userId }) => forgetRequestsOf(tx, userId),
      sweep: forgetRequests,
      refuseWaiting,
      endUnderWay: async (db, now) => ({ waitingDevices: await refuseEveryWaiting(db, now) }),
      made: { find: approvalsOf, handOn: handOnApprovals },
    },
  })

/** Aborts when the client closes its connection before it has its answer. */
function whenGone({ outgoing }: RawContext) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  return gone.signal
}
