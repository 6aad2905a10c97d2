import type { KeyListItem, LetIn } from '@svc/auth'
import type { Say } from '../words/say.ts'

export type Named = Pick<KeyListItem, 'deviceName' | 'platform' | 'kind'>
export type DeviceKind = 'phone' | 'tablet' | 'computer' | 'machine' | 'support' | 'unknown'
export type Browser = 'Chrome' | 'Edge' | 'Firefox' | 'Safari'

/** The name of a device that has given none. */
export function deviceName(say: Say, { deviceName: given, platform, kind }: Named) {
  return given || say(unnamed[kind ?? platform ?? 'unknown'])
}

const unnamed = {
  ios: 'iPhone or iPad',
  android: 'Android device',
  web: 'Web browser',
  desktop: 'Desktop app',
  machine: 'Program without a name',
  support: 'Support',
  unknown: 'Device without a name',
} as const

// More would hide the question.
const mostNamed = 5

/** Devices, programs and agents by their names: `Living-room TV, Claude and 3 more`. */
export function namesOf(say: Say, made: readonly LetIn[]) {
  const names = made.slice(0, mostNamed).map((each) => letInName(say, each))
  const more = made.length - names.length
  return new Intl.ListFormat(say.locale, { type: 'conjunction' }).format(
    more > 0 ? [...names, say('{more} more', { more })] : names,
  )
}

function letInName(say: Say, { name, kind, platform }: LetIn) {
  if (name) return name
  return deviceName(say, { ...(platform && { platform }), ...(kind === 'machine' && { kind }) })
}

/** The picture for a device. A browser gets that of the system in its name. */
export function deviceKind({ deviceName: given = '', platform, kind }: Named): DeviceKind {
  if (kind !== undefined) return kind
  if (/\b(?:iPad|tablet)\b/i.test(given)) return 'tablet'
  if (platform === 'ios' || platform === 'android') return 'phone'
  if (/\b(?:iPhone|Android|phone)\b/i.test(given)) return 'phone'
  return platform === undefined ? 'unknown' : 'computer'
}

const browsers: readonly Browser[] = ['Edge', 'Chrome', 'Firefox', 'Safari']

/** The browser in the name of a device, if there is one that has a picture. */
export function browserOf({ deviceName: given = '' }: Pick<Named, 'deviceName'>) {
  return browsers.find((browser) => given.startsWith(`${browser} `))
}

/** The place of a device when it signed in, as far as its network address shows it. */
export function placeWords(say: Say, address: string | undefined) {
  if (!address) return say('an unknown place')
  const plain = address.replace(/^::ffff:/i, '')
  if (plain === '::1' || plain.startsWith('127.')) return say('the server’s own machine')
  if (isPrivate(plain)) return say('a private network ({plain})', { plain })
  return plain
}

// RFC 1918 and RFC 4193.
function isPrivate(address: string) {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i.test(address)
}

const dayMillis = 86_400_000
const minuteMillis = 60_000

/** When a device will have to sign in again. */
export function expiryWords(say: Say, expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined) return say('Stays signed in.')
  if (expiresAtMillis <= now) return say('Must sign in again.')
  // A key of 90 days has 90 of them for its whole first day.
  const days = Math.ceil((expiresAtMillis - now) / dayMillis)
  if (days === 1) return say('Must sign in again within a day.')
  return say('Must sign in again {days}.', {
    days: new Intl.RelativeTimeFormat(say.locale).format(days, 'day'),
  })
}

/** How long an operator can act as the owner. */
export function supportWords(say: Say, expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined || expiresAtMillis <= now)
    return say('The support session is over.')
  const minutes = Math.ceil((expiresAtMillis - now) / minuteMillis)
  return say('Support can use your account. This ends {minutes}.', {
    minutes: new Intl.RelativeTimeFormat(say.locale).format(minutes, 'minute'),
  })
}

/** When the key of a program expires: a program can't sign in again. */
export function machineExpiryWords(say: Say, expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined) return say('Its key does not expire.')
  if (expiresAtMillis <= now) return say('Its key has expired.')
  const days = Math.ceil((expiresAtMillis - now) / dayMillis)
  return days === 1
    ? say('Its key expires within a day.')
    : say('Its key expires {days}.', {
        days: new Intl.RelativeTimeFormat(say.locale).format(days, 'day'),
      })
}

/** The question before a device, or a program, is signed out. */
export function signOutQuestion(say: Say, device: Named) {
  const name = deviceName(say, device)
  if (device.kind === 'support') {
    return say('End the support session of {name}? They can no longer use your account.', { name })
  }
  return device.kind === 'machine'
    ? say('Remove {name}? The program can no longer sign requests, and needs a new key.', { name })
    : say('Sign out {name}? It must sign in again to continue.', { name })
}

const hasEnded = {
  device: '{name} is signed out.',
  machine: '{name} is removed.',
  support: 'The support session of {name} is over.',
} as const

/** What has happened, in words. */
export function signedOutWords(say: Say, device: Named, ended: readonly LetIn[]) {
  const name = deviceName(say, device)
  const own = say(hasEnded[device.kind ?? 'device'], { name })
  return ended.length === 0
    ? own
    : say('{own} Also signed out: {names}.', { own, names: namesOf(say, ended) })
}

const hourMillis = 3_600_000

/** When a device that is bound to a passkey will need it. */
export function bindingWords(say: Say, expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined || expiresAtMillis <= now)
    return say('Needs its passkey to continue.')
  const hours = Math.ceil((expiresAtMillis - now) / hourMillis)
  if (hours === 1) return say('Needs its passkey again within an hour.')
  return say('Needs its passkey again {hours}.', {
    hours: new Intl.RelativeTimeFormat(say.locale).format(hours, 'hour'),
  })
}

export function countOfOthers(say: Say, count: number) {
  return count === 1 ? say('1 other device') : say('{count} other devices', { count })
}
