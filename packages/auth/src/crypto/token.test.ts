import { describe, expect, it } from 'vitest'
import { equal, hashToken, newToken } from './crypto.ts'

describe('newToken', () => {
  it('is 32 random bytes in base64url', () => {
    const tokens = Array.from({ length: 100 }, newToken)

    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
    expect(new Set(tokens).size).toBe(100)
  })
})

describe('hashToken', () => {
  it('is SHA-256 in hex', () => {
    // FIPS 180-2, appendix B.1.
    expect(hashToken('abc')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})

describe('equal', () => {
  it.each([
    ['', '', true],
    ['secret', 'secret', true],
    ['geheim·🔑', 'geheim·🔑', true],
    ['secret', 'secreT', false],
    ['secret', 'secret ', false],
    ['secret', '', false],
    ['a'.repeat(100_000), 'a', false],
  ])('compares %j with %j, of any length', (a, b, same) => {
    expect(equal(a, b)).toBe(same)
  })
})
