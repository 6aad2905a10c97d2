import { recordAudit } from '../audit/record-audit.ts'
import { type CodeNeeds, decideByCode, type TypedCode } from './decide-by-code.ts'
import { deviceDecidedEvent } from './device-decided.ts'
import { denyPending } from './store.ts'
import { shownOf } from './waiting-device.ts'

/** Sends the device that waits away. */
export async function denyDeviceAuth(auth: CodeNeeds, typed: TypedCode) {
  const { origin } = typed
  await decideByCode(auth, typed, async (tx, { account, ...code }) => {
    const { userId } = account
    const request = await denyPending(tx, { ...code, userId })
    if (!request) return null
    await recordAudit(tx, {
      act: 'device.denied',
      actor: userId,
      target: request.keyId,
      details: shownOf(request),
      origin,
      at: code.now,
    })
    await deviceDecidedEvent.emit({ codeHashes: [request.codeHash] })
    return request
  })
}
