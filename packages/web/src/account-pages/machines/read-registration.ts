import type { KeyRegistration } from '@svc/auth'
import type { Say } from '../words/say.ts'

interface Registration extends KeyRegistration {
  deviceName?: string
}

/** What a program has printed of its key, or what is wrong with it in words. */
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
    // Terminals break long lines, and JSON needs none.
    return Object(JSON.parse(pasted.replace(/[\r\n]/g, '')))
  } catch {
    return {}
  }
}

/** Nothing but what is known goes to the API. */
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

/** How many days a key lives; null where that is no number of days that one may. */
export function readDays(entered: string) {
  const days = Number(entered)
  return Number.isInteger(days) && days >= 1 && days <= 365 ? days : null
}

export const daysRule = 'Enter a whole number of days from 1 to 365.'
