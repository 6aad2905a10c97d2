import bcrypt from 'bcrypt'
import { describe, expect, it, vi } from 'vitest'
import { spendShare } from './spend-time.ts'

/** In rounds of Blowfish's key schedule, of which bcrypt with `n` has 2ⁿ. */
function workOf(share: number, rounds: number) {
  const hashing = vi.spyOn(bcrypt, 'hashSync').mockReturnValue('')
  spendShare(share, { scheme: 'bcrypt', rounds })
  const work = hashing.mock.calls.reduce((sum, [, each]) => sum + 2 ** Number(each), 0)
  hashing.mockRestore()
  return work
}

describe('what is left of the work of a hash', () => {
  it.each([0.001, 0.01, 0.25, 1 / 3, 0.5, 0.75, 0.9, 0.995, 1])(
    'is done, to the nearest that bcrypt can do: %d',
    (share) => {
      for (const rounds of [10, 12]) {
        expect(Math.abs(workOf(share, rounds) - 2 ** rounds * share)).toBeLessThanOrEqual(8)
      }
    },
  )

  it('is nothing where all of it is done', () => {
    expect(workOf(0, 12)).toBe(0)
  })
})
