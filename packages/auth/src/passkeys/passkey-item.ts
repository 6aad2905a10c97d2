import type { PasskeyItem } from './contract.ts'
import type { PasskeyRow } from './store.ts'

/** What its owner is shown of a passkey: nothing that an authenticator is found or checked by. */
export function passkeyItem(passkey: PasskeyRow): PasskeyItem {
  return {
    passkeyId: passkey.passkeyId,
    ...(passkey.label && { label: passkey.label }),
    deviceType: passkey.deviceType,
    backedUp: passkey.backedUp,
    transports: passkey.transports,
    secondFactor: passkey.secondFactor,
    createdAtMillis: passkey.createdAt.getTime(),
    ...(passkey.lastUsedAt && { lastUsedAtMillis: passkey.lastUsedAt.getTime() }),
  }
}
