import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
  type KeyListItem,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { deviceName } from '../account/device-words.ts'
import { failureWords } from '../failures/failure-words.ts'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'
import { daysRule } from './read-registration.ts'

/** What a person can do about a key that was not registered. */
export function machineFailure(say: Say, error: unknown) {
  if (error instanceof KeyIdAlreadyRegisteredError) {
    return say('This key is already registered. Let the program create a new one, and paste that.')
  }
  if (error instanceof InvalidKeyFingerprintError || error instanceof KeyAlgorithmMismatchError) {
    return say(notWhole)
  }
  return error instanceof ValidationError ? invalidWords(say, error) : failureWords(say, error)
}

const notWhole =
  'The parts of this key don’t match. Copy all the text that the program printed again.'

const rules: Record<string, AccountSentence> = {
  permissions: 'You no longer have all of these permissions. Reload the page and choose again.',
  expiresInDays: daysRule,
  deviceName: 'A name has at most 64 characters. Enter a shorter one.',
}

function invalidWords(say: Say, { fields }: ValidationError) {
  return say(fields.map(({ path }) => rules[path.split('.')[1] ?? '']).find(Boolean) ?? notWhole)
}

/** What was made, as its owner finds it again. */
export function registeredWords(say: Say, machine: KeyListItem, days: number) {
  const { permissions = [], fingerprintPrefix } = machine
  const name = deviceName(say, machine)
  const time = days === 1 ? say('a day') : say('{days} days', { days })
  const names = permissions.join(', ')
  return permissions.length > 0
    ? say('{name} (key {key}) is registered for {time} and has the permissions {names}.', {
        name,
        key: fingerprintPrefix,
        time,
        names,
      })
    : say('{name} (key {key}) is registered for {time} and has no permissions.', {
        name,
        key: fingerprintPrefix,
        time,
      })
}
