import type { MfaStatus, PasskeyItem, SessionBinding } from '@svc/auth'

type Kind = Pick<PasskeyItem, 'deviceType' | 'backedUp' | 'transports'>

type Named = Pick<PasskeyItem, 'label' | 'deviceType' | 'transports'>

/** What a passkey is called that neither its owner nor its authenticator has named: after where it is kept. */
export function passkeyName({ label, deviceType, transports }: Named) {
  if (label) return label
  if (deviceType === 'multiDevice') return 'Synced passkey'
  return isOnKey(transports) ? 'Security key' : 'Passkey of one device'
}

/** Where a passkey is kept, as far as its authenticator tells. */
export function keptWhere({ deviceType, backedUp, transports }: Kind) {
  if (deviceType === 'multiDevice') {
    return backedUp
      ? 'Synced: it is on all devices of the same password manager.'
      : 'Can be synced, and is on one device so far.'
  }
  if (transports.includes('internal')) return 'On one device alone.'
  return isOnKey(transports) ? 'On a security key.' : 'On one device or security key alone.'
}

function isOnKey(transports: readonly string[]) {
  return (
    !transports.includes('internal') && transports.some((transport) => keyTransports.has(transport))
  )
}

// How a browser reaches a key that is plugged in or held against it.
const keyTransports = new Set(['usb', 'nfc', 'ble', 'smart-card'])

export function countOfPasskeys(count: number) {
  return count === 1 ? '1 passkey' : `${count} passkeys`
}

interface Account {
  passkeys: readonly PasskeyItem[]
  /** Null where it is not known. */
  status: MfaStatus | null
  binding: SessionBinding | null
}

/** What goes with a passkey that is removed, besides the passkey. */
export function lostWith(passkey: PasskeyItem, { passkeys, status, binding }: Account) {
  const others = passkeys.filter(({ passkeyId }) => passkeyId !== passkey.passkeyId)
  const isLastFactor =
    passkey.secondFactor &&
    status?.methods.includes('totp') === false &&
    !others.some(({ secondFactor }) => secondFactor)
  const isLastOfBound = others.length === 0 && binding?.mode === 'passkey'
  return [isLastFactor && lastFactor, isLastOfBound && lastOfBound].filter(
    (words) => words !== false,
  )
}

const lastFactor =
  'It is your only second step: two-step sign-in goes off, and its recovery codes with it.'
const lastOfBound =
  'This session is bound to your passkeys: without one it cannot be renewed, and it ends when its key does.'

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
