import type { MfaStatus, PasskeyItem, SessionBinding } from '@svc/auth'
import type { Say } from '../words/say.ts'

type Kind = Pick<PasskeyItem, 'deviceType' | 'backedUp' | 'transports'>

type Named = Pick<PasskeyItem, 'label' | 'deviceType' | 'transports'>

/**
 * The name of a passkey that neither its owner nor its authenticator has named: where it is stored.
 */
export function passkeyName(say: Say, { label, deviceType, transports }: Named) {
  if (label) return label
  if (deviceType === 'multiDevice') return say('Synced passkey')
  return isOnKey(transports) ? say('Security key') : say('Passkey on one device')
}

/** Where a passkey is stored, as far as its authenticator says. */
export function keptWhere(say: Say, { deviceType, backedUp, transports }: Kind) {
  if (deviceType === 'multiDevice') {
    return backedUp
      ? say('Synced to all devices of the same password manager.')
      : say('On one device. It can be synced.')
  }
  if (transports.includes('internal')) return say('On one device only.')
  return isOnKey(transports)
    ? say('On a security key.')
    : say('On one device or security key only.')
}

function isOnKey(transports: readonly string[]) {
  return (
    !transports.includes('internal') && transports.some((transport) => keyTransports.has(transport))
  )
}

// How a browser reaches a key that the user plugs in or holds against the device.
const keyTransports = new Set(['usb', 'nfc', 'ble', 'smart-card'])

export function countOfPasskeys(say: Say, count: number) {
  return count === 1 ? say('1 passkey') : say('{count} passkeys', { count })
}

interface Account {
  passkeys: readonly PasskeyItem[]
  /** Null if it is not known. */
  status: MfaStatus | null
  binding: SessionBinding | null
}

/** What else the user loses when a passkey is removed. */
export function lostWith(say: Say, passkey: PasskeyItem, { passkeys, status, binding }: Account) {
  const others = passkeys.filter(({ passkeyId }) => passkeyId !== passkey.passkeyId)
  const isLastFactor =
    passkey.secondFactor &&
    status?.methods.includes('totp') === false &&
    !others.some(({ secondFactor }) => secondFactor)
  const isLastOfBound = others.length === 0 && binding?.mode === 'passkey'
  return [isLastFactor && say(lastFactor), isLastOfBound && say(lastOfBound)].filter(
    (words) => words !== false,
  )
}

const lastFactor =
  'It is your only second step, so this turns off two-step sign-in and removes your recovery codes.'
const lastOfBound =
  'This session is bound to your passkeys. Without one you can’t renew it, and it ends when its key expires.'

/** The result of making a passkey a second step, or no longer one. `before` is how it was. */
export function markedWords(say: Say, before: PasskeyItem, status: MfaStatus) {
  const name = passkeyName(say, before)
  if (!before.secondFactor) {
    const done = say('{name} is now a second step.', { name })
    return status.recoveryCodesRemaining > 0 ? done : `${done} ${say(makeCodes)}`
  }
  const done = say('{name} is no longer a second step.', { name })
  return status.enrolled ? done : say('{done} Two-step sign-in is off.', { done })
}

const makeCodes = 'Also create recovery codes under Two-step sign-in, in case you lose it.'
