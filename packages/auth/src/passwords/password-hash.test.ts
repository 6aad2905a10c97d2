import { randomBytes } from 'node:crypto'
import bcrypt from 'bcrypt'
import { expect, it, vi } from 'vitest'
import { hasArgon2 } from './argon2.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import type { HashTarget } from './stored-hash.ts'

const target: HashTarget = { scheme: 'bcrypt', rounds: 12 }
const password = { sent: 'right', normalised: 'right' }
const wrong = { sent: 'wrong', normalised: 'wrong' }

const cheaper: [name: string, stored: () => string][] = [
  ['bcrypt of fewer rounds', () => hashPassword(password, { ...target, rounds: 4 })],
  ['another system', () => `pbkdf2_sha256$100$salt$${randomBytes(32).toString('base64')}`],
]
if (hasArgon2) {
  // Node 24.7 has it; without it such a hash is refused before it comes here.
  cheaper.push([
    'argon2id of ours',
    () => hashPassword(password, { ...target, scheme: 'argon2id' }),
  ])
}

/** Calls that make up for what was left, and not those that compare. */
function callsWhile(run: () => void) {
  const hashing = vi.spyOn(bcrypt, 'hashSync')
  run()
  const { length } = hashing.mock.calls
  hashing.mockRestore()
  return length
}

it.each(cheaper)('a wrong password costs what one for no account costs: %s', (_, make) => {
  const stored = make()
  expect(
    callsWhile(() => expect(verifyPassword(wrong, stored, target)).toBe(false)),
  ).toBeGreaterThan(0)
})

it('a right one costs no more than its hash', () => {
  const stored = hashPassword(password, { ...target, rounds: 4 })
  expect(callsWhile(() => expect(verifyPassword(password, stored, target)).toBe(true))).toBe(0)
})
