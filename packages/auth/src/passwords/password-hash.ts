import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcrypt'
import { argon2id } from './argon2id.ts'
import {
  argon2idCost,
  type HashTarget,
  ownArgon2id,
  ownBcrypt,
  parseStoredHash,
} from './stored-hash.ts'

// These hold the thread until they are done: hash-worker.ts is where they run.

/** One password in the two forms that a stored hash may have been made of. */
export interface PasswordForms {
  sent: string
  normalised: string
}

export function hashPassword({ normalised }: PasswordForms, { scheme, rounds }: HashTarget) {
  const secret = preHash(normalised)
  if (scheme === 'bcrypt') return ownBcrypt(bcrypt.hashSync(secret, rounds))
  const nonce = randomBytes(16)
  return ownArgon2id(nonce, argon2id(secret, { ...argon2idCost, nonce, tagLength: 32 }))
}

export function verifyPassword(forms: PasswordForms, stored: string, target: HashTarget) {
  const hash = parseStoredHash(stored)
  if (!hash) return false
  const secret = hash.isOwn ? preHash(forms.normalised) : forms.sent
  if (hash.scheme === 'argon2id') {
    const { memory, passes, parallelism, nonce, tag } = hash
    const input = { memory, passes, parallelism, nonce, tagLength: tag.length }
    return timingSafeEqual(argon2id(secret, input), tag)
  }
  const isRight = bcrypt.compareSync(secret, hash.text)
  if (!isRight && target.scheme === 'bcrypt') spendRounds(secret, hash.rounds, target.rounds)
  return isRight
}

/**
 * A wrong password for an imported account of fewer rounds would be refused sooner than one for no account. This spends
 * the difference: 2ⁿ + 2ⁿ + 2ⁿ⁺¹ + … + 2ᵐ⁻¹ = 2ᵐ.
 */
function spendRounds(secret: string, from: number, to: number) {
  for (let rounds = from; rounds < to; rounds += 1) bcrypt.hashSync(secret, rounds)
}

/** bcrypt stops at 72 bytes, and others at a NUL. These are 64 characters without one, of the whole password. */
function preHash(normalised: string) {
  return createHash('sha384').update(normalised).digest('base64')
}
