import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcrypt'
import { argon2 } from './argon2.ts'
import { matches, readForeignHash } from './foreign/foreign.ts'
import {
  type Argon2idHash,
  argon2idCost,
  type HashTarget,
  ownArgon2id,
  ownBcrypt,
} from './stored-hash.ts'

// These block the thread until they are done, so they run in hash-worker.ts.

export function hashPassword(forms: PasswordForms, { scheme, rounds }: HashTarget) {
  const secret = preHash(forms)
  if (scheme === 'bcrypt') return ownBcrypt(bcrypt.hashSync(secret, rounds))
  const nonce = randomBytes(16)
  return ownArgon2id(
    nonce,
    argon2('argon2id', { ...argon2idCost, message: secret, nonce, tagLength: 32 }),
  )
}

export function matchesArgon2id(forms: PasswordForms, hash: Argon2idHash) {
  const { memory, passes, parallelism, nonce, tag } = hash
  const input = { memory, passes, parallelism, nonce, tagLength: tag.length }
  return timingSafeEqual(argon2('argon2id', { ...input, message: preHash(forms) }), tag)
}

/** Compares with the hash of the password as it was sent. */
export function matchesForeign({ sent }: PasswordForms, stored: string) {
  const hash = readForeignHash(stored)
  return typeof hash !== 'string' && matches(hash, sent)
}

/** One password in the two forms that a stored hash may be of. */
export interface PasswordForms {
  sent: string
  normalised: string
}

/**
 * bcrypt stops at 72 bytes, and other schemes at a NUL. This has 64 characters and no NUL, and
 * covers the whole password.
 */
export function preHash({ normalised }: PasswordForms) {
  return createHash('sha384').update(normalised).digest('base64')
}
