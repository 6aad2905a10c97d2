import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { keysRevoked } from '../streams/revocations.ts'
import { revokeSurplus } from './store.ts'

// More than a person has devices. Each new sign-in in a browser adds a key.
export const mostDevices = 100

const reason = 'surplus'

interface Added {
  userId: string
  keyId: string
  origin: RequestOrigin
  now: Date
}

/**
 * Makes room for a device that has just been added, under the account's lock, by ending the least recently used one.
 * Refusing the sign-in instead would lock the owner out for as long as an attacker keeps signing in.
 */
export async function endSurplus(tx: Tx, { userId, keyId, origin, now }: Added) {
  const keyIds = await revokeSurplus(tx, { userId, keyId, keep: mostDevices - 1, reason, now })
  if (keyIds.length === 0) return
  for (const target of keyIds) {
    const details = { reason, successor: keyId }
    await recordAudit(tx, { act: 'key.revoked', actor: userId, target, details, origin, at: now })
  }
  await keysRevoked.emit({ userId, keyIds, reason })
}
