import type { KeyRegistration } from '@svc/auth'

interface Registration extends KeyRegistration {
  deviceName?: string
}

/** What a program has printed of its key, or what is wrong with it in words. */
export function readRegistration(pasted: string): Registration | string {
  if (pasted.trim() === '') return 'Paste what the program has printed.'
  if (/privateKey"\s*:|PRIVATE KEY/.test(pasted)) return privateHalf
  return registrationOf(parsed(pasted)) ?? noRegistration
}

const privateHalf =
  'This is the private half of the key, which stays with the program: paste what the program has printed. Nothing was sent.'
const noRegistration =
  'This is no registration of a key: copy all that the program has printed, from “{” to “}”.'

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

export const daysRule = 'Days are a whole number from 1 to 365.'
