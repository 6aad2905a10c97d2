import type { KeyListItem, LetIn } from '@svc/auth'

type Named = Pick<KeyListItem, 'deviceName' | 'platform' | 'kind'>
export type DeviceKind = 'phone' | 'tablet' | 'computer' | 'unknown'

/** What a device is called that has given no name. */
export function deviceName({ deviceName: given, platform, kind }: Named) {
  return given || unnamed[kind ?? platform ?? 'unknown']
}

const unnamed = {
  ios: 'iPhone or iPad',
  android: 'Android device',
  web: 'Web browser',
  desktop: 'Desktop app',
  machine: 'Program without a name',
  unknown: 'Device without a name',
}

// More would hide the question.
const mostNamed = 5
const inARow = new Intl.ListFormat('en', { type: 'conjunction' })

/** Devices, programs and agents by their names: `Living-room TV, Claude and 3 more`. */
export function namesOf(made: readonly LetIn[]) {
  const names = made.slice(0, mostNamed).map(letInName)
  const more = made.length - names.length
  return inARow.format(more > 0 ? [...names, `${more} more`] : names)
}

function letInName({ name, kind, platform }: LetIn) {
  if (name) return name
  return deviceName({ ...(platform && { platform }), ...(kind === 'machine' && { kind }) })
}

/** Which picture a device gets. A browser runs on what its name says. */
export function deviceKind({ deviceName: given = '', platform, kind }: Named): DeviceKind {
  if (kind === 'machine') return 'unknown'
  if (/\b(?:iPad|tablet)\b/i.test(given)) return 'tablet'
  if (platform === 'ios' || platform === 'android') return 'phone'
  if (/\b(?:iPhone|Android|phone)\b/i.test(given)) return 'phone'
  return platform === undefined ? 'unknown' : 'computer'
}

/** Where a device was when it signed in, as far as its network's address tells. */
export function placeWords(address: string | undefined) {
  if (!address) return 'an unknown place'
  const plain = address.replace(/^::ffff:/i, '')
  if (plain === '::1' || plain.startsWith('127.')) return 'the server’s own machine'
  if (isPrivate(plain)) return `a private network (${plain})`
  return plain
}

// RFC 1918 and RFC 4193.
function isPrivate(address: string) {
  return /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][0-9a-f]{2}:)/i.test(address)
}

const dayMillis = 86_400_000
const counted = new Intl.RelativeTimeFormat('en')

/** When a device will have to sign in again. */
export function expiryWords(expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined) return 'Stays signed in.'
  if (expiresAtMillis <= now) return 'Must sign in again.'
  // A key of 90 days has 90 of them for its whole first day.
  const days = Math.ceil((expiresAtMillis - now) / dayMillis)
  if (days === 1) return 'Must sign in again within a day.'
  return `Must sign in again ${counted.format(days, 'day')}.`
}

/** When the key of a program ends: nobody signs in again for it. */
export function machineExpiryWords(expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined) return 'Its key does not expire.'
  if (expiresAtMillis <= now) return 'Its key has expired.'
  const days = Math.ceil((expiresAtMillis - now) / dayMillis)
  return days === 1
    ? 'Its key expires within a day.'
    : `Its key expires ${counted.format(days, 'day')}.`
}

/** What signing a device out, or a program, comes to. */
export function signOutQuestion(device: Named) {
  const name = deviceName(device)
  return device.kind === 'machine'
    ? `Remove ${name}? The program can no longer sign requests, and needs a new key.`
    : `Sign out ${name}? It must sign in again to continue.`
}

/** What has happened. */
export function signedOutWords(device: Named, ended: readonly LetIn[]) {
  const own = `${deviceName(device)} is ${device.kind === 'machine' ? 'removed' : 'signed out'}.`
  return ended.length === 0 ? own : `${own} Also signed out: ${namesOf(ended)}.`
}

const hourMillis = 3_600_000

/** When a device that is bound to a passkey will need it. */
export function bindingWords(expiresAtMillis: number | undefined, now: number) {
  if (expiresAtMillis === undefined || expiresAtMillis <= now)
    return 'Needs its passkey to continue.'
  const hours = Math.ceil((expiresAtMillis - now) / hourMillis)
  if (hours === 1) return 'Needs its passkey again within an hour.'
  return `Needs its passkey again ${counted.format(hours, 'hour')}.`
}

export function countOfOthers(count: number) {
  return count === 1 ? '1 other device' : `${count} other devices`
}
