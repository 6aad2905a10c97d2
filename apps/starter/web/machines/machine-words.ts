import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
  type KeyListItem,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { deviceName } from '../account/device-words.ts'
import { failureWords } from '../ui/failure-words.ts'
import { daysRule } from './read-registration.ts'

/** What a person can do about a key that was not registered. */
export function machineFailure(error: unknown) {
  if (error instanceof KeyIdAlreadyRegisteredError) {
    return 'This key is already registered. Let the program create a new one, and paste that.'
  }
  if (error instanceof InvalidKeyFingerprintError || error instanceof KeyAlgorithmMismatchError) {
    return notWhole
  }
  return error instanceof ValidationError ? invalidWords(error) : failureWords(error)
}

const notWhole =
  'The parts of this key don’t match. Copy all the text that the program printed again.'

const rules: Record<string, string> = {
  permissions: 'You no longer have all of these permissions. Reload the page and choose again.',
  expiresInDays: daysRule,
  deviceName: 'A name has at most 64 characters. Enter a shorter one.',
}

function invalidWords({ fields }: ValidationError) {
  return fields.map(({ path }) => rules[path.split('.')[1] ?? '']).find(Boolean) ?? notWhole
}

/** What was made, as its owner finds it again. */
export function registeredWords(machine: KeyListItem, days: number) {
  const { permissions = [], fingerprintPrefix } = machine
  const may =
    permissions.length > 0 ? `has the permissions ${permissions.join(', ')}` : 'has no permissions'
  const end = days === 1 ? 'a day' : `${days} days`
  return `${deviceName(machine)} (key ${fingerprintPrefix}) is registered for ${end} and ${may}.`
}
