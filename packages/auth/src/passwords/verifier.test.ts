import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { hasArgon2 } from './argon2.ts'
import { hashPassword } from './password-hash.ts'
import type { HashTarget } from './stored-hash.ts'
import { createVerifier } from './verifier.ts'

const target: HashTarget = { scheme: 'bcrypt', rounds: 12 }
const password = { sent: 'right', normalised: 'right' }
const wrong = { sent: 'wrong', normalised: 'wrong' }

/** A step does 32 times of the 4,096 that twelve rounds are. */
const wholeWork = 2 ** 12 / 32

/** What a password is answered, and how many steps that takes. */
function verified(forms: typeof password, stored: string) {
  const verifier = createVerifier(target)
  const answers: boolean[] = []
  let steps = 0
  verifier.verify(forms, stored, (isRight) => answers.push(isRight))
  for (; verifier.isBusy; steps += 1) verifier.step()
  return { answers, steps }
}

it.each([4, 10, 11, 12, 13])(
  'a wrong password costs twelve rounds where %i are stored',
  (rounds) => {
    const stored = hashPassword(password, { ...target, rounds })
    const { answers, steps } = verified(wrong, stored)

    expect(answers).toEqual([false])
    // Four rounds are half a step, which counts as one.
    const most = Math.max(wholeWork, 2 ** rounds / 32)
    expect(steps).toBeGreaterThanOrEqual(most)
    expect(steps).toBeLessThanOrEqual(most + 1)
  },
)

const cheaper: [name: string, stored: () => string][] = [
  ['another system', () => `pbkdf2_sha256$100$salt$${randomBytes(32).toString('base64')}`],
]
if (hasArgon2) {
  // Node 24.7 has it; without it such a hash is refused before it comes here.
  cheaper.push(['argon2id', () => hashPassword(password, { ...target, scheme: 'argon2id' })])
}

it.each(cheaper)('and is made up for where another hash is cheaper: %s', (_, make) => {
  const { answers, steps } = verified(wrong, make())

  expect(answers).toEqual([false])
  // What argon2id costs is measured, on a machine that may be busy.
  expect(steps).toBeGreaterThan(wholeWork / 8)
})

it('a right one costs no more than its hash', () => {
  const stored = hashPassword(password, { ...target, rounds: 5 })

  expect(verified(password, stored)).toEqual({ answers: [true], steps: 1 })
})

it('one that comes later is answered as if it were alone, and each gets its own answer', () => {
  const verifier = createVerifier({ ...target, rounds: 6 })
  const stored = hashPassword(password, { ...target, rounds: 6 })
  const answers: string[] = []
  const verify = (name: string, forms: typeof password) =>
    verifier.verify(forms, stored, (isRight) => answers.push(`${name} ${isRight}`))
  verify('first', wrong)
  verifier.step()
  verify('second', password)
  while (verifier.isBusy) verifier.step()

  expect(answers).toEqual(['first false', 'second true'])
})
