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
    return 'This key was registered before: let the program make another one, and paste that.'
  }
  if (error instanceof InvalidKeyFingerprintError || error instanceof KeyAlgorithmMismatchError) {
    return notWhole
  }
  return error instanceof ValidationError ? invalidWords(error) : failureWords(error)
}

const notWhole =
  'The parts of this key do not belong together: copy all that the program has printed once more.'

const rules: Record<string, string> = {
  permissions:
    'You do not hold all of these permissions any more: reload the page, and choose anew.',
  expiresInDays: daysRule,
  deviceName: 'A name has 64 characters at most.',
}

function invalidWords({ fields }: ValidationError) {
  return fields.map(({ path }) => rules[path.split('.')[1] ?? '']).find(Boolean) ?? notWhole
}

/** What was made, as its owner finds it again. */
export function registeredWords(machine: KeyListItem, days: number) {
  const { permissions = [], fingerprintPrefix } = machine
  const may = permissions.length > 0 ? `may: ${permissions.join(', ')}` : 'has no permissions'
  const end = days === 1 ? 'a day' : `${days} days`
  return `${deviceName(machine)} (key ${fingerprintPrefix}) is registered for ${end} and ${may}.`
}
