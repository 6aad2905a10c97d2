import type { Tx } from '@svc/core'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
import { deviceDecidedEvent } from './device-decided.ts'
import type { DeviceRequest } from './store.ts'
import { shownOf } from './waiting-device.ts'

/** Writes down who decided over which device, and wakes the poll that waits for it. */
export async function recordDecision(
  tx: Tx,
  request: DeviceRequest,
  decision: Pick<AuditEntry, 'act' | 'actor' | 'origin' | 'at'>,
) {
  const { keyId: target, codeHash } = request
  await recordAudit(tx, { ...decision, target, details: shownOf(request) })
  await deviceDecidedEvent.emit({ codeHashes: [codeHash] })
}
