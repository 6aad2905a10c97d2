import { requireSteppedUp } from '../mfa/lock-stepped-up.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { recordDecision } from './record-decision.ts'
import { approvePending } from './store.ts'
import { waitingDevice } from './waiting-device.ts'

/** Lets the device that waits sign in as the caller. */
export async function approveDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { caller, origin } = typed
  const { authenticatedAt, binding, keyExpiresAt, keyId } = caller
  const approver = { authenticatedAt, binding, keyExpiresAt, approvedByKeyId: keyId || null }
  const approved = await decideByCode(auth, typed, async (tx, { account, ...code }) => {
    requireSteppedUp(account, caller)
    const { userId: actor, generation } = account
    const approval = { ...code, ...approver, userId: actor, generation }
    const request = await approvePending(tx, approval)
    if (!request) return null
    await recordDecision(tx, request, { act: 'device.approved', actor, origin, at: code.now })
    return request
  })
  return waitingDevice(approved)
}
