import {
  InvalidKeyFingerprintError,
  KeyAlgorithmMismatchError,
  KeyIdAlreadyRegisteredError,
  type KeyListItem,
  type KeyRegistration,
} from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { deviceName as nameOf } from '../account/device-words.ts'
import { failureWords } from '../failures/failure-words.ts'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'

interface Registration extends KeyRegistration {
  deviceName?: string
}

/** The registration that a program has printed, or a sentence about what is wrong with it. */
export function readRegistration(say: Say, pasted: string): Registration | string {
  if (pasted.trim() === '') return say('Paste the text that the program printed.')
  if (/privateKey"\s*:|PRIVATE KEY/.test(pasted)) return say(privateHalf)
  return registrationOf(parsed(pasted)) ?? say(noRegistration)
}

const privateHalf =
  'This is the private half of the key, which must stay with the program. Nothing was sent. Paste the text that the program printed.'
const noRegistration =
  'This is not the registration of a key. Copy all the text that the program printed, from “{” to “}”.'

function parsed(pasted: string): Record<string, unknown> {
  try {
    // Terminals break long lines, and JSON needs no line breaks.
    return Object(JSON.parse(pasted.replace(/[\r\n]/g, '')))
  } catch {
    return {}
  }
}

/** Only known members go to the API. */
function registrationOf({
  publicKey,
  keyId,
  fingerprint,
  algorithm,
  deviceName,
}: Record<string, unknown>): Registration | null {
  if (typeof publicKey !== 'string' || typeof keyId !== 'string') return null
  if (typeof fingerprint !== 'string') return null
  if (algorithm !== 'ES256' && algorithm !== 'RS256') return null
  const named = typeof deviceName === 'string' && { deviceName }
  return { publicKey, keyId, fingerprint, algorithm, ...named }
}

/** How many days a key lives; null if it is not a valid number of days. */
export function readDays(entered: string) {
  const days = Number(entered)
  return Number.isInteger(days) && days >= 1 && days <= 365 ? days : null
}

export const daysRule = 'Enter a whole number of days from 1 to 365.'

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

/** What was registered, described so that its owner finds it again. */
export function registeredWords(say: Say, machine: KeyListItem, days: number) {
  const { permissions = [], fingerprintPrefix } = machine
  const name = nameOf(say, machine)
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
