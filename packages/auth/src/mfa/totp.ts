import { createHmac, randomBytes } from 'node:crypto'
import { equal } from '../crypto/crypto.ts'

// The values that every authenticator app supports: several ignore another algorithm, length or
// period, and show wrong codes.
const digits = 6
const secondsOfStep = 30
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/**
 * As long as RFC 4226 recommends: 160 bits, in the 32 characters that a user can type into an
 * authenticator app.
 */
export function newTotpSecret() {
  return base32(randomBytes(20))
}

interface Enrolment {
  secret: string
  issuer: string
  account: string
}

/** The text of an authenticator app's QR code, in Google's Key Uri Format. */
export function otpauthUri({ secret, issuer, account }: Enrolment) {
  // A space must be %20: apps show the + of URLSearchParams unchanged.
  const name = encodeURIComponent(issuer)
  const parameters = `secret=${secret}&issuer=${name}`
  const defaults = `algorithm=SHA1&digits=${digits}&period=${secondsOfStep}`
  return `otpauth://totp/${name}:${encodeURIComponent(account)}?${parameters}&${defaults}`
}

/**
 * The step of a code: the present one, or the one before or after, for clocks that differ. Null if
 * it matches none.
 */
export function matchingStep(secret: string, code: string, now: Date) {
  const current = Math.floor(now.getTime() / 1000 / secondsOfStep)
  const steps = [current + 1, current, current - 1]
  // All three are compared, so that the time does not reveal which one matched.
  const matching = steps.filter((step) => equal(totpCode(secret, step), code))
  return matching[0] ?? null
}

/** RFC 4226, with the step of RFC 6238 as its counter. */
export function totpCode(secret: string, step: number) {
  const counter = Buffer.alloc(8)
  counter.writeBigInt64BE(BigInt(step))
  const hash = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = hash.readUInt8(hash.length - 1) & 0xf
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

function base32(bytes: Buffer) {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = bits.match(/.{5}/g) ?? []
  return letters.map((five) => alphabet[Number.parseInt(five, 2)]).join('')
}

function bytesOf(secret: string) {
  const fives = Array.from(secret, (letter) =>
    alphabet.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = fives.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
