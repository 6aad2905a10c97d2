import { recordAudit } from '../audit/record-audit.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { deviceDecidedEvent } from './device-decided.ts'
import { approvePending } from './store.ts'
import { shownOf, waitingDevice } from './waiting-device.ts'

/** Lets the device that waits sign in as the caller. */
export async function approveDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { origin } = typed
  const approved = await decideByCode(auth, typed, async (tx, { account, ...code }) => {
    const { userId, generation } = account
    const request = await approvePending(tx, { ...code, userId, generation })
    if (!request) return null
    await recordAudit(tx, {
      act: 'device.approved',
      actor: userId,
      target: request.keyId,
      details: shownOf(request),
      origin,
      at: code.now,
    })
    await deviceDecidedEvent.emit({ codeHashes: [request.codeHash] })
    return request
  })
  return waitingDevice(approved)
}
