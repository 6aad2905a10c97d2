import type { MfaStatus, PasskeyItem, SessionBinding } from '@svc/auth'

type Kind = Pick<PasskeyItem, 'deviceType' | 'backedUp' | 'transports'>

type Named = Pick<PasskeyItem, 'label' | 'deviceType' | 'transports'>

/** What a passkey is called that neither its owner nor its authenticator has named: after where it is kept. */
export function passkeyName({ label, deviceType, transports }: Named) {
  if (label) return label
  if (deviceType === 'multiDevice') return 'Synced passkey'
  return isOnKey(transports) ? 'Security key' : 'Passkey on one device'
}

/** Where a passkey is kept, as far as its authenticator tells. */
export function keptWhere({ deviceType, backedUp, transports }: Kind) {
  if (deviceType === 'multiDevice') {
    return backedUp
      ? 'Synced to all devices of the same password manager.'
      : 'On one device. It can be synced.'
  }
  if (transports.includes('internal')) return 'On one device only.'
  return isOnKey(transports) ? 'On a security key.' : 'On one device or security key only.'
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
  'It is your only second step, so this turns off two-step sign-in and removes your recovery codes.'
const lastOfBound =
  'This session is bound to your passkeys. Without one you can’t renew it, and it ends when its key expires.'

/** What came of making a passkey a second step, or no longer one; `before` is how it was. */
export function markedWords(before: PasskeyItem, status: MfaStatus) {
  const name = passkeyName(before)
  if (!before.secondFactor) {
    const done = `${name} is now a second step.`
    return status.recoveryCodesRemaining > 0 ? done : `${done} ${makeCodes}`
  }
  const done = `${name} is no longer a second step.`
  return status.enrolled ? done : `${done} Two-step sign-in is off.`
}

const makeCodes = 'Also create recovery codes under Two-step sign-in, in case you lose it.'
