import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Keyring } from '../crypto/crypto.ts'
import {
  hashRecoveryCode,
  newRecoveryCodes,
  type RecoveryCodeHash,
  readRecoveryCode,
} from './recovery-codes.ts'

const codes = Array.from({ length: 400 }, newRecoveryCodes).flat()

describe('newRecoveryCodes', () => {
  it('is ten different codes', () => {
    for (let time = 0; time < 20; time++) expect(new Set(newRecoveryCodes()).size).toBe(10)
    expect(new Set(codes).size).toBe(codes.length)
  })

  it('has ten of 31 characters, without those that are read as one another', () => {
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/)
    const used = new Set(codes.join('').replaceAll('-', ''))
    expect([...used].toSorted().join('')).toBe('23456789abcdefghjkmnpqrstuvwxyz')
  })

  it('has each of them as often in every place', () => {
    for (const place of [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]) {
      const times = codes.filter((code) => code[place] === 'z').length
      // 129 are expected; a fair place is outside of this once in a billion.
      expect(times).toBeGreaterThan(60)
      expect(times).toBeLessThan(205)
    }
    // 10,323 of 40,000 are digits, within 540 as rarely: the rest of a byte divided by 31 would make 11,250 of them.
    expect(Math.abs(codes.join('').replaceAll(/\D/g, '').length - 10_323)).toBeLessThan(540)
  })
})

describe('readRecoveryCode', () => {
  it('reads every code as it was shown', () => {
    for (const code of codes) expect(readRecoveryCode(code)).toBe(code)
  })

  it.each([
    'k7qm2-xvh9p',
    'K7QM2-XVH9P',
    'k7qm2xvh9p',
    ' k7qm2 xvh9p\n',
    'k7qm2–xvh9p',
    'k7qm2—xvh9p',
    'K-7-q-m-2-x-v-h-9-p',
    'k7qm2\txvh9p',
  ])('reads %j', (typed) => expect(readRecoveryCode(typed)).toBe('k7qm2-xvh9p'))

  it.each([
    '',
    'k7qm2-xvh9',
    'k7qm2-xvh9pp',
    'k7qm2-xvh90',
    'k7qm2-xvh9o',
    'k7qm2-xvh91',
    'k7qm2-xvh9i',
    'k7qm2-xvh9l',
    'k7qm2_xvh9p',
    // Lower case would make this a k.
    '\u212A7qm2-xvh9p',
    'k7qm2-xvh9ſ',
    // Cyrillic and fullwidth.
    'к7qm2-xvh9p',
    'ｋ7qm2-xvh9p',
    'k7qm2\u0000xvh9p',
  ])('does not read %j', (typed) => expect(readRecoveryCode(typed)).toBeNull())
})

describe('hashRecoveryCode', () => {
  const [older, newer] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))]
  const before: Keyring = { activeKeyId: 'older', keys: new Map([['older', older]]) }
  const rotated: Keyring = {
    activeKeyId: 'newer',
    keys: new Map([
      ['newer', newer],
      ['older', older],
    ]),
  }
  const mine = { userId: 'ada', code: 'k7qm2-xvh9p' }
  const stored = hashRecoveryCode(before, mine)

  it('is the same for the same code of the same user alone, and shows nothing of it', () => {
    expect(stored).toEqual({ keyId: 'older', hash: expect.stringMatching(/^[\w-]{43}$/) })
    expect(hashRecoveryCode(before, mine)).toEqual(stored)
    for (const other of [
      { userId: 'bob', code: mine.code },
      { userId: 'ada', code: 'k7qm2-xvh9q' },
      { userId: 'adak', code: '7qm2-xvh9p' },
      { userId: 'ada","k7qm2-xvh9p', code: '' },
    ]) {
      expect(hashRecoveryCode(before, other).hash).not.toBe(stored.hash)
    }
    expectTypeOf(stored.hash).toEqualTypeOf<RecoveryCodeHash>()
    expectTypeOf<string>().not.toExtend<RecoveryCodeHash>()
  })

  it('is made under the active key, or under the one that is named', () => {
    const fresh = hashRecoveryCode(rotated, mine)
    expect(fresh.keyId).toBe('newer')
    expect(fresh.hash).not.toBe(stored.hash)
    expect(hashRecoveryCode(rotated, { ...mine, keyId: 'older' })).toEqual(stored)
  })

  it('is another under another key of the same name', () => {
    const other: Keyring = { activeKeyId: 'older', keys: new Map([['older', newer]]) }
    expect(hashRecoveryCode(other, mine).hash).not.toBe(stored.hash)
  })

  it('is refused under a key that is gone', () => {
    expect(() => hashRecoveryCode(before, { ...mine, keyId: 'newer' })).toThrow(
      expect.objectContaining({
        name: 'UnreadableSecretError',
        message: 'SVC_AUTH_TOKEN_ENCRYPTION_KEYS has no key newer.',
      }),
    )
  })
})
