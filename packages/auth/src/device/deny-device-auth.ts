import { lockCaller } from '../keys/lock-caller.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { recordDecision } from './record-decision.ts'
import { denyPending } from './store.ts'

/** Sends the device that waits away. */
export async function denyDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { caller, origin } = typed
  await decideByCode(auth, typed, {
    lock: (tx) => lockCaller(tx, caller),
    move: async (tx, { account, ...code }) => {
      const { userId: actor } = account
      const request = await denyPending(tx, { ...code, userId: actor })
      if (!request) return null
      await recordDecision(tx, auth, { request, act: 'device.denied', actor, origin, at: code.now })
      return request
    },
  })
}
