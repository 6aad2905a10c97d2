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
  needsRehash,
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

/** A wrong password is refused as soon as one for no account, also where the stored hash costs less; a dearer one, later. */
export function verifyPassword(forms: PasswordForms, stored: string, target: HashTarget) {
  const started = threadMillis()
  const isRight = isPasswordOf(forms, stored)
  if (!isRight && needsRehash(stored, target)) spendShare(workLeft(stored, target, started), target)
  return isRight
}

/** Of bcrypt it is known: a round more doubles the work. Of all else it is measured, which is a percent off. */
function workLeft(stored: string, target: HashTarget, started: number) {
  const own = parseOwnHash(stored)
  if (own?.scheme === 'bcrypt' && target.scheme === 'bcrypt')
    return Math.max(0, 1 - 2 ** (own.rounds - target.rounds))
  return shareLeft(() => refuseNobody(target), started)
}

function isPasswordOf(forms: PasswordForms, stored: string) {
  const own = parseOwnHash(stored)
  return own ? matchesOwn(forms, own) : matchesForeign(forms, stored)
}

function matchesOwn({ normalised }: PasswordForms, hash: OwnHash) {
  const secret = preHash(normalised)
  if (hash.scheme === 'bcrypt') return bcrypt.compareSync(secret, hash.text)
  const { memory, passes, parallelism, nonce, tag } = hash
  const input = { memory, passes, parallelism, nonce, tagLength: tag.length }
  return timingSafeEqual(argon2('argon2id', { ...input, message: secret }), tag)
}

/** Made of the password as it was sent. */
function matchesForeign({ sent }: PasswordForms, stored: string) {
  const hash = readForeignHash(stored)
  return typeof hash !== 'string' && matches(hash, sent)
}

/** What a wrong password for no account costs. */
function refuseNobody(target: HashTarget) {
  verifyPassword({ sent: '', normalised: '' }, createDummyHash(target), target)
}

/** bcrypt stops at 72 bytes, and others at a NUL. These are 64 characters without one, of the whole password. */
function preHash(normalised: string) {
  return createHash('sha384').update(normalised).digest('base64')
}
