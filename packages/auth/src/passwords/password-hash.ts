import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import bcrypt from 'bcrypt'
import { argon2 } from './argon2.ts'
import { matches } from './foreign/foreign-hash.ts'
import { readForeignHash } from './foreign/read-foreign-hash.ts'
import { shareLeft, spendShare, threadMillis } from './spend-time.ts'
import {
  argon2idCost,
  createDummyHash,
  type HashTarget,
  type OwnHash,
  ownArgon2id,
  ownBcrypt,
  parseOwnHash,
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
  return ownArgon2id(
    nonce,
    argon2('argon2id', { ...argon2idCost, message: secret, nonce, tagLength: 32 }),
  )
}

export function verifyPassword(forms: PasswordForms, stored: string, target: HashTarget) {
  const own = parseOwnHash(stored)
  return own ? verifyOwn(forms, own, target) : verifyForeign(forms, stored, target)
}

function verifyOwn({ normalised }: PasswordForms, hash: OwnHash, target: HashTarget) {
  const secret = preHash(normalised)
  if (hash.scheme === 'argon2id') {
    const { memory, passes, parallelism, nonce, tag } = hash
    const input = { memory, passes, parallelism, nonce, tagLength: tag.length }
    return timingSafeEqual(argon2('argon2id', { ...input, message: secret }), tag)
  }
  const isRight = bcrypt.compareSync(secret, hash.text)
  if (!isRight && target.scheme === 'bcrypt') spendRounds(secret, hash.rounds, target.rounds)
  return isRight
}

/**
 * A wrong password for an account with fewer rounds would be refused sooner than one for no account. This spends the
 * difference: 2ⁿ + 2ⁿ + 2ⁿ⁺¹ + … + 2ᵐ⁻¹ = 2ᵐ.
 */
function spendRounds(secret: string, from: number, to: number) {
  for (let rounds = from; rounds < to; rounds += 1) bcrypt.hashSync(secret, rounds)
}

/** Made of the password as it was sent. A wrong one is refused as one for no account is; a dearer hash, later. */
function verifyForeign({ sent }: PasswordForms, stored: string, target: HashTarget) {
  const hash = readForeignHash(stored)
  if (typeof hash === 'string') return false
  const started = threadMillis()
  const isRight = matches(hash, sent)
  if (!isRight)
    spendShare(
      shareLeft(() => refuseNobody(target), started),
      target,
    )
  return isRight
}

/** What a wrong password for no account costs. */
function refuseNobody(target: HashTarget) {
  verifyPassword({ sent: '', normalised: '' }, createDummyHash(target), target)
}

/** bcrypt stops at 72 bytes, and others at a NUL. These are 64 characters without one, of the whole password. */
function preHash(normalised: string) {
  return createHash('sha384').update(normalised).digest('base64')
}
