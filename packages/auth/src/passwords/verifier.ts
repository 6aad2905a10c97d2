import { randomBytes, timingSafeEqual } from 'node:crypto'
import { argon2 } from './argon2.ts'
import { createBcryptLanes, mostLanes, slowdownOf, threadMillis } from './lanes/bcrypt-lanes.ts'
import {
  hashPassword,
  matchesArgon2id,
  matchesForeign,
  type PasswordForms,
  preHash,
} from './password-hash.ts'
import { argon2idCost, type BcryptHash, type HashTarget, parseOwnHash } from './stored-hash.ts'

/**
 * Verifies passwords, those of our own bcrypt together: four take a core little longer than one. New hashes are the
 * library's alone. Should the lanes ever be wrong, they refuse a right password, and store nothing.
 *
 * A wrong password is refused as soon as one for no account, also where the stored hash costs less; a dearer one, later.
 * The rest of the time is spent as work, because a processor is a percent faster or slower from one minute to the next:
 * waiting for a time that was measured once is told from a hash within a hundred attempts.
 */
export function createVerifier(target: HashTarget) {
  const lanes = createBcryptLanes(2 ** target.rounds / mostLanes)
  let usualMillis: number | null = null

  /** Resolves at once, or after some steps. */
  function verify(forms: PasswordForms, stored: string, answer: (isRight: boolean) => void) {
    const own = parseOwnHash(stored)
    if (own?.scheme === 'bcrypt') return compare(forms, own, answer)
    const startedAt = threadMillis()
    if (own ? matchesArgon2id(forms, own) : matchesForeign(forms, stored)) return answer(true)
    // Meanwhile this thread did nothing else: a new hash beside it would have taken longer.
    const millis = (threadMillis() - startedAt) / slowdownOf(lanes.count + 1)
    return spend(1 - shareOf(millis), () => answer(false))
  }

  function compare(forms: PasswordForms, hash: BcryptHash, answer: (isRight: boolean) => void) {
    const secret = Buffer.from(preHash(forms))
    const { salt, digest, rounds } = hash
    lanes.add({ secret, salt, times: 2 ** rounds }, (derived, millis) => {
      if (timingSafeEqual(derived, digest)) return answer(true)
      // For bcrypt it is known: one more round doubles the work. Otherwise it is measured, to about
      // a percent.
      const spent = target.scheme === 'bcrypt' ? 2 ** (rounds - target.rounds) : shareOf(millis)
      return spend(1 - spent, () => answer(false))
    })
  }

  /** The share of the work of a new hash. The duration of that is measured once in each thread. */
  function shareOf(millis: number) {
    usualMillis ??= millisOfNewHash(target)
    return millis / usualMillis
  }

  function spend(share: number, done: () => void) {
    if (target.scheme === 'bcrypt') return spendRounds(share, done)
    if (share > 0) spendMemory(share)
    return done()
  }

  function spendRounds(share: number, done: () => void) {
    const times = Math.round(2 ** target.rounds * share)
    if (times < 1) return done()
    return lanes.add({ secret: Buffer.alloc(64), salt: randomBytes(16), times }, done)
  }

  return {
    verify,
    step: lanes.step,
    /** Whether work is in progress. */
    get isBusy() {
      return lanes.count > 0
    },
    get takesMore() {
      return lanes.takesMore
    },
  }
}

/** At least one: a thread's clock may not advance during a cheap hash. */
function millisOfNewHash(target: HashTarget) {
  const startedAt = threadMillis()
  hashPassword({ sent: '', normalised: '' }, target)
  return Math.max(1, threadMillis() - startedAt)
}

function spendMemory(share: number) {
  const memory = Math.max(8, Math.round(argon2idCost.memory * share))
  const nonce = randomBytes(16)
  argon2('argon2id', { ...argon2idCost, memory, message: '', nonce, tagLength: 32 })
}
