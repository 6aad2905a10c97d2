import type { MfaStatus, PasskeyItem } from '@svc/auth'

type Kind = Pick<PasskeyItem, 'deviceType' | 'backedUp' | 'transports'>

/** What a passkey is called that nobody has named. */
export function passkeyName({ label }: Pick<PasskeyItem, 'label'>) {
  return label || 'Passkey without a name'
}

/** Where a passkey is kept, as far as its authenticator tells. */
export function keptWhere({ deviceType, backedUp, transports }: Kind) {
  if (deviceType === 'multiDevice') {
    return backedUp
      ? 'Synced: it is on all devices of the same password manager.'
      : 'Can be synced, and is on one device so far.'
  }
  if (transports.includes('internal')) return 'On one device alone.'
  return transports.some((transport) => keyTransports.has(transport))
    ? 'On a security key.'
    : 'On one device or security key alone.'
}

// How a browser reaches a key that is plugged in or held against it.
const keyTransports = new Set(['usb', 'nfc', 'ble', 'smart-card'])

export function countOfPasskeys(count: number) {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}

/** What came of making a passkey a second step, or no longer one; `before` is how it was. */
export function markedWords(before: PasskeyItem, status: MfaStatus) {
  const name = passkeyName(before)
  if (!before.secondFactor) {
    const done = `${name} is a second step now.`
    return status.recoveryCodesRemaining > 0 ? done : `${done} ${makeCodes}`
  }
  const done = `${name} is no second step any more.`
  return status.enrolled ? done : `${done} Two-step sign-in is off.`
}

const makeCodes = 'Make recovery codes too, under Two-step sign-in: they help when it is lost.'
