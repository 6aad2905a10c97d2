import { randomInt } from 'node:crypto'
import { deriveKey, keyedHash } from '../crypto/derive-key.ts'
import { type Keyring, keyOf } from '../crypto/keyring.ts'
import { alphabet } from '../crypto/user-code.ts'

declare const hashed: unique symbol

/** What a recovery code is stored as. Stores accept this type only, so a plaintext code cannot reach a row. */
export type RecoveryCodeHash = string & { readonly [hashed]: true }

/** Ten different codes such as `k7qm2-xvh9p`: each is one way in without the authenticator app or the passkey. */
export function newRecoveryCodes() {
  const codes = new Set<string>()
  while (codes.size < 10) codes.add(newCode())
  return [...codes]
}

function newCode() {
  const letters = Array.from({ length: 10 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return dashed(letters)
}

// Letters are those of ASCII: others, such as K for Kelvin, would become one of them in lower case.
const tenLetters = /^[2-9A-HJKMNP-Za-hjkmnp-z]{10}$/

/** A code as somebody has typed it, in either case, with or without spaces and dashes. Null when it cannot be one. */
export function readRecoveryCode(typed: string) {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '')
  return tenLetters.test(letters) ? dashed(letters) : null
}

function dashed(letters: string) {
  const lower = letters.toLowerCase()
  return `${lower.slice(0, 5)}-${lower.slice(5)}`
}

interface Code {
  userId: string
  /** As `readRecoveryCode` has it. */
  code: string
  /** The key that the stored hash was made under; the active one for a new code. */
  keyId?: string
}

/**
 * There are 31 to the power 10 codes, about 2^49: whoever has a copy of the database could try them all against a plain
 * hash, and cannot without the keyring.
 */
export function hashRecoveryCode(keyring: Keyring, { userId, code, keyId }: Code) {
  const under = keyId ?? keyring.activeKeyId
  const key = deriveKey(keyOf(keyring, under), 'recovery codes')
  // The only place that makes one.
  const hash = keyedHash(key, JSON.stringify([userId, code])) as RecoveryCodeHash
  return { keyId: under, hash }
}
