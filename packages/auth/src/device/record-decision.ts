import type { Tx } from '@svc/core'
import type { AuditEntry } from '../caller/audit-entry.ts'
import { deviceDecidedEvent } from './device-decided.ts'
import type { DeviceAct, DeviceNeeds } from './device-held.ts'
import type { DeviceRequest } from './store.ts'
import { shownOf } from './waiting-device.ts'

interface Decision extends Pick<AuditEntry, 'actor' | 'origin' | 'at'> {
  act: DeviceAct
}

/** Writes down who decided over which device, and wakes the poll that waits for it. */
export async function recordDecision(
  tx: Tx,
  { audit }: DeviceNeeds<'audit'>,
  { request, act, ...decision }: Decision & { request: DeviceRequest },
) {
  const { keyId: target, codeHash } = request
  await audit(tx, act, { ...decision, target, details: shownOf(request) })
  await deviceDecidedEvent.emit({ codeHashes: [codeHash] })
}
