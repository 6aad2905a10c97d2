import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { recordDecision } from './record-decision.ts'
import { approvePending } from './store.ts'
import { waitingDevice } from './waiting-device.ts'

/** Lets the device that waits sign in as the caller. */
export async function approveDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { origin } = typed
  const approved = await decideByCode(auth, typed, async (tx, { account, ...code }) => {
    const { userId: actor, generation } = account
    const request = await approvePending(tx, { ...code, userId: actor, generation })
    if (!request) return null
    await recordDecision(tx, request, { act: 'device.approved', actor, origin, at: code.now })
    return request
  })
  return waitingDevice(approved)
}
