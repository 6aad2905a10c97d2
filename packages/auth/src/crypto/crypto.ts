import {
  createHash,
  createHmac,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto'

export {
  decrypt,
  decryptLegacy,
  encrypt,
  type Keyring,
  keyOf,
  readKeyring,
  UnreadableSecretError,
} from './cipher.ts'
export {
  type DeviceKeyMaterial,
  isP256,
  isRsa,
  p256Key,
  readPublicKey,
  rsaKey,
} from './public-key.ts'
export { type Jws, type ParsedRequestJwt, parseRequestJwt, readJws } from './request-jwt.ts'
export { createSignatureChecks, type SignatureChecks } from './signature-checks.ts'
export {
  createPublicKeyCache,
  type PublicKeys,
  type Signed,
  verifySignature,
} from './verify-signature.ts'
export { isEd25519Point } from './weak-keys.ts'

declare const hashed: unique symbol

/** SHA-256 of a one-time secret. Stores accept this type only, so a plaintext secret cannot reach a row. */
export type TokenHash = string & { readonly [hashed]: true }

/** A secret that can't be guessed: 32 random bytes. */
export function newToken() {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): TokenHash {
  // The only place that makes a `TokenHash`.
  return createHash('sha256').update(token).digest('hex') as TokenHash
}

/**
 * Compares with a secret. Both are hashed first, so that their lengths are equal and the time
 * reveals nothing of them.
 */
export function equal(a: string, b: string) {
  return timingSafeEqual(digest(a), digest(b))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Derives a key for each use of one secret (HKDF-SHA256): what is made under one label is worthless
 * under another.
 */
export function deriveKey(secret: string | KeyObject, label: string) {
  return Buffer.from(hkdfSync('sha256', secret, '', `svc-auth ${label}`, 32))
}

/** Replaces a value that must not be stored or shown. It can't be guessed without the key. */
export function keyedHash(key: Buffer, value: string) {
  return createHmac('sha256', key).update(value).digest('base64url')
}

/** Six digits for a user to type, each of the million equally likely. */
export function newCode() {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

// Without 0, O, 1, I and L, which people confuse: 31 characters, so 31 to the power 8 codes.
export const userCodeAlphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** What a waiting device shows, such as `K7QM-2XVH`. */
export function newUserCode() {
  const letters = Array.from(
    { length: 8 },
    () => userCodeAlphabet[randomInt(userCodeAlphabet.length)],
  ).join('')
  return dashed(letters)
}

// Letters are those of ASCII: upper-casing would turn others, such as ſ, into one of them.
const eightLetters = /^[2-9A-HJKMNP-Za-hjkmnp-z]{8}$/

/**
 * A code as the user has typed it, in either case, with or without spaces and dashes. Null if it
 * can't be one.
 */
export function readUserCode(typed: string) {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '')
  return eightLetters.test(letters) ? dashed(letters.toUpperCase()) : null
}

function dashed(letters: string) {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
