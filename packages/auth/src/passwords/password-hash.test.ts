import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'
import { expect, it, vi } from 'vitest'
import { hasArgon2 } from './argon2.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import type { HashTarget } from './stored-hash.ts'

const target: HashTarget = { scheme: 'bcrypt', rounds: 12 }
const password = { sent: 'right', normalised: 'right' }
const wrong = { sent: 'wrong', normalised: 'wrong' }

const wholeWork = 2 ** 12

/** The work that makes up for what was left, without that of comparing: a round more doubles it. */
function workWhile(run: () => void) {
  const hashing = vi.spyOn(bcrypt, 'hashSync')
  run()
  const work = hashing.mock.calls.map(([, rounds]) => 2 ** Number(rounds))
  hashing.mockRestore()
  return work.reduce((sum, each) => sum + each, 0)
}

const workOfWrong = (stored: string) =>
  workWhile(() => expect(verifyPassword(wrong, stored, target)).toBe(false))

it.each([4, 10, 11, 12, 13])(
  'a wrong password costs twelve rounds where %i are stored',
  (rounds) => {
    const stored = hashPassword(password, { ...target, rounds })
    expect(workOfWrong(stored)).toBe(Math.max(0, wholeWork - 2 ** rounds))
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
  // What argon2id costs is measured, on a machine that may be busy.
  expect(workOfWrong(make())).toBeGreaterThan(wholeWork / 8)
})

it('a right one costs no more than its hash', () => {
  const stored = hashPassword(password, { ...target, rounds: 4 })
  expect(workWhile(() => expect(verifyPassword(password, stored, target)).toBe(true))).toBe(0)
})
